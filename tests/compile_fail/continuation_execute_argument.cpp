// expect: tapestry::execute: expected a function that takes no argument, f\(\)
// expect-lines: 10
#include "tapestry/continuation.hpp"

const auto program = tapestry::execute(tapestry::Executor::inlined(), [](int x) { return x; });
