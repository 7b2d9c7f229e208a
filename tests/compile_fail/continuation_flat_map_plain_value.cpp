// expect: tapestry::flatMap: the function does not return a program, use map for plain values
#include "tapestry/continuation.hpp"

const auto program = tapestry::now(1).flatMap([](int x) { return x + 1; });
