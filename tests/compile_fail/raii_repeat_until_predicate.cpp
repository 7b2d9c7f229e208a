// expect: repeatUntil\(.*expected a program of a value, and a predicate bool\(const value&\) to copy
// expect-lines: 10
#include <string>

#include "tapestry/raii/repeat.hpp"

const auto program =
    tapestry::repeatUntil(tapestry::Do<int>::now(1), [](const std::string& s) { return s.empty(); });
