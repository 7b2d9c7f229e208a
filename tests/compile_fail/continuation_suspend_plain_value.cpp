// expect: the function does not return a program, use map for plain values
#include "tapestry/continuation.hpp"

const auto program = tapestry::suspend([] { return 1; });
