// expect: tapestry::co_await: expected a program, a tuple or pair of programs, a type with toProgram\(x\), or a Coroutine
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/coroutine/coroutine.hpp"
#include "tapestry/raii/do.hpp"

tapestry::Coroutine<int> awaiting(tapestry::Do<int> program) { co_return co_await program; }
