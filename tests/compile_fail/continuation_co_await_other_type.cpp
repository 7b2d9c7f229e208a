// expect: tapestry::co_await: expected a program, a tuple or pair of programs, a type with toProgram\(x\), or a Coroutine
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/coroutine/coroutine.hpp"

using tapestry::UnitContinuation;

const auto program = tapestry::direct<UnitContinuation>([]() -> tapestry::Coroutine<void> { co_await 1; });
