// expect: execute\(.*expected an Executor and a function f\(\), const, not mutable
// expect-lines: 10
#include "tapestry/continuation.hpp"

const auto program = tapestry::execute(tapestry::Executor::inlined(), [](int x) { return x; });
