// expect: tapestry::memoize: every run gets a copy of the value, expected one that can be copied
// expect-lines: 10
#include <memory>

#include "tapestry/raii/memoize.hpp"

const auto program =
    tapestry::memoize(tapestry::Do<std::unique_ptr<int>>::delay([] { return std::make_unique<int>(1); }));
