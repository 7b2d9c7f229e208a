// expect: flatMap\(.*expected f\(value\), const, that returns a Do; use map for plain values
// expect-lines: 10
#include <string>

#include "tapestry/raii.hpp"

const auto program =
    tapestry::Do<int>::now(1).flatMap([](const std::string& s) { return tapestry::Do<std::string>::now(s); });
