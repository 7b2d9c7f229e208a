// expect: map\(.*expected f\(value\), const, not mutable; std::move a program of move-only
// expect-lines: 10
#include "tapestry/continuation.hpp"

const auto program = tapestry::now().map([](int x) { return x; });
