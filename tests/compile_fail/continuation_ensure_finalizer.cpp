// expect: ensure\(.*expected a program and a finalizer, a program of void; for a Do raii/ensure.hpp
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/ensure.hpp"

const auto program = tapestry::ensure(tapestry::UnitContinuation<int>(tapestry::now(1)), [] {});
