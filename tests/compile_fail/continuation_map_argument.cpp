// expect: tapestry::map: the function does not accept the program's value, expected f\(value\)
// expect-lines: 10
#include <string>

#include "tapestry/continuation.hpp"

const auto program = tapestry::now(1).map([](const std::string& text) { return text; });
