// expect: execute\(.*expected an Executor and a function A\(\), const, not mutable
// expect-lines: 10
#include "tapestry/raii.hpp"

const auto program = tapestry::Do<int>::execute(tapestry::Executor::inlined(), [](int x) { return x; });
