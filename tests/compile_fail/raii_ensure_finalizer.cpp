// expect: ensure\(.*expected a program and a finalizer that is a program of void
// expect-lines: 10
#include "tapestry/raii/ensure.hpp"

const auto program = tapestry::ensure(tapestry::Do<int>::now(1), [] {});
