// expect: tapestry::Do::intransitiveMap: the function does not accept the value, expected f\(value\)
// expect-lines: 10
#include <string>

#include "tapestry/raii.hpp"

const auto program = tapestry::Do<int>::now(1).intransitiveMap([](const std::string& s) { return s; });
