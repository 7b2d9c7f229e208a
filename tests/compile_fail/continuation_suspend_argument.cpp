// expect: suspend\(.*expected f\(\), const, not mutable, that returns a program; delay takes values
// expect-lines: 10
#include "tapestry/continuation.hpp"

const auto program = tapestry::suspend([](int x) { return tapestry::now(x); });
