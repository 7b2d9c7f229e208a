// expect: repeatUntil\(.*expected a program of a value, and a predicate bool\(const value&\) to copy
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/repeat.hpp"

const auto program = tapestry::repeatUntil(tapestry::now(), [] { return true; });
