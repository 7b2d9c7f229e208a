// expect: repeatUntil\(.*expected a program of a value, and a predicate bool\(const value&\) to copy
// expect-lines: 10
#include "tapestry/continuation/repeat.hpp"

#include <string>

const auto program = tapestry::repeatUntil(tapestry::now(1), [](const std::string&) { return true; });
