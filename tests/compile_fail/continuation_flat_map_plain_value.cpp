// expect: flatMap\(.*expected f\(value\), const, that returns a program; use map for values
// expect-lines: 10
#include "tapestry/continuation.hpp"

const auto program = tapestry::now(1).flatMap([](int x) { return x + 1; });
