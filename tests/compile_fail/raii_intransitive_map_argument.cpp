// expect: intransitiveMap\(.*expected a function f\(value\), const, not mutable
// expect-lines: 10
#include <string>

#include "tapestry/raii.hpp"

const auto program = tapestry::Do<int>::now(1).intransitiveMap([](const std::string& s) { return s; });
