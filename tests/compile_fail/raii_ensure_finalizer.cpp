// expect: tapestry::ensure: expected a finalizer that is a program, UnitContinuation<void> or Do<void>
// expect-lines: 10
#include "tapestry/raii/ensure.hpp"

const auto program = tapestry::ensure(tapestry::Do<int>::now(1), [] {});
