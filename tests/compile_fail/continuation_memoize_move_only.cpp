// expect: memoize\(.*expected a program of a value that can be copied; for a Do raii/memoize.hpp
// expect-lines: 10
#include "tapestry/continuation/memoize.hpp"

#include <memory>

const auto program = tapestry::memoize(tapestry::delay([] { return std::make_unique<int>(1); }));
