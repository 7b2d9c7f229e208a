// expect: tapestry::flatMap: the function does not return a program, use map for plain values
// expect-lines: 10
#include "tapestry/continuation.hpp"

const auto program = tapestry::now(1).flatMap([](int x) { return x + 1; });
