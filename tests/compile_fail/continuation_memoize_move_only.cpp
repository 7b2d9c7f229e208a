// expect: tapestry::memoize: every run gets a copy of the value
// expect-lines: 10
#include "tapestry/continuation/memoize.hpp"

#include <memory>

const auto program = tapestry::memoize(tapestry::delay([] { return std::make_unique<int>(1); }));
