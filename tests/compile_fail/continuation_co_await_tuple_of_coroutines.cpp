// expect: tapestry::co_await: expected a program, a tuple or pair of programs, a type with toProgram\(x\), or
// a Coroutine expect-errors: 1 expect-lines: 10
#include "tapestry/continuation/coroutine.hpp"

using tapestry::Coroutine;

Coroutine<int> one();
Coroutine<void> both() { co_await std::pair(one(), tapestry::now(1)); }
