// expect: await_transform\(.*expected a program, Coroutine, tuple, pair or toProgram\(x\)
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/coroutine/coroutine.hpp"

using tapestry::UnitContinuation;

const auto program = tapestry::direct<UnitContinuation>([]() -> tapestry::Coroutine<void> { co_await 1; });
