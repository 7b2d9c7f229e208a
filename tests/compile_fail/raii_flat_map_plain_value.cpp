// expect: flatMap\(.*expected f\(value\), const, that returns a Do; use map for plain values
// expect-lines: 10
// [code]
#include "tapestry/raii.hpp"

const auto program = tapestry::Do<int>::now(1).flatMap([](int x) { return x + 1; });
// [/code]
