// expect: flatMap\(.*expected f\(value\), const, that returns a program; use map for values
// expect-lines: 10
#include <string>

#include "tapestry/continuation.hpp"

const auto program = tapestry::now(1).flatMap([](const std::string& text) { return tapestry::now(text); });
