// expect: tapestry::flatMap: the function does not accept the program's value, expected f\(value\)
// expect-lines: 10
#include <string>

#include "tapestry/continuation.hpp"

const auto program = tapestry::now(1).flatMap([](const std::string& text) { return tapestry::now(text); });
