// expect: map\(.*expected a function f\(value\), const, not mutable
// expect-lines: 10
#include <string>

#include "tapestry/continuation.hpp"

const auto program = tapestry::now(1).map([](const std::string& text) { return text; });
