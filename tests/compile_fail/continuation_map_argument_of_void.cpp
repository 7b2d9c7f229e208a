// expect: map\(.*expected a function f\(value\), const, not mutable
// expect-lines: 10
#include "tapestry/continuation.hpp"

const auto program = tapestry::now().map([](int x) { return x; });
