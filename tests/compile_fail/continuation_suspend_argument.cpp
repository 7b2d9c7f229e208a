// expect: tapestry::suspend: expected a function that takes no argument, f\(\)
// expect-lines: 10
#include "tapestry/continuation.hpp"

const auto program = tapestry::suspend([](int x) { return tapestry::now(x); });
