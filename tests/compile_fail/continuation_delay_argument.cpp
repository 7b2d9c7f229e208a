// expect: delay\(.*expected a function that takes no argument, f\(\), const, not mutable
// expect-lines: 10
#include "tapestry/continuation.hpp"

const auto program = tapestry::delay([](int x) { return x; });
