// expect: tapestry::suspend: the function does not return a program, use delay for plain values
// expect-lines: 10
#include "tapestry/continuation.hpp"

const auto program = tapestry::suspend([] { return 1; });
