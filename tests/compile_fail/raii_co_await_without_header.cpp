// expect: await_transform\(.*expected a program, Coroutine, tuple, pair or toProgram\(x\)
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/coroutine/coroutine.hpp"
#include "tapestry/raii/do.hpp"

tapestry::Coroutine<int> awaiting(tapestry::Do<int> program) { co_return co_await program; }
