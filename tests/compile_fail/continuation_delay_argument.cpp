// expect: tapestry::delay: expected a function that takes no argument, f\(\)
// expect-lines: 10
#include "tapestry/continuation.hpp"

const auto program = tapestry::delay([](int x) { return x; });
