// expect: tapestry::Do::flatMap: the function does not accept the value, expected f\(value\)
// expect-lines: 10
#include <string>

#include "tapestry/raii.hpp"

const auto program =
    tapestry::Do<int>::now(1).flatMap([](const std::string& s) { return tapestry::Do<std::string>::now(s); });
