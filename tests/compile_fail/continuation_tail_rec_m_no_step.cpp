// expect: tapestry::tailRecM: the body does not yield a Step, expected a program of Step<A, B>
#include "tapestry/continuation.hpp"

const auto program = tapestry::tailRecM(1, [](int state) { return tapestry::now(state); });
