// expect: repeatUntil\(.*expected a program of a value, and a predicate bool\(const value&\) to copy
// expect-lines: 10
#include <memory>

#include "tapestry/continuation/repeat.hpp"

const auto program = tapestry::repeatUntil(
    tapestry::now(1), [wanted = std::make_unique<int>(1)](int value) { return value == *wanted; });
