// expect: tapestry::Do::execute: expected a function A\(\) without arguments
// expect-lines: 10
#include "tapestry/raii.hpp"

const auto program = tapestry::Do<int>::execute(tapestry::Executor::inlined(), [](int x) { return x; });
