// expect: await_transform\(.*expected std::move\(coroutine\): it runs once
// expect-lines: 10
// expect-errors: 2
#include "tapestry/continuation/coroutine/coroutine.hpp"

using tapestry::Coroutine;

Coroutine<void> run(Coroutine<void> kept) { co_await kept; }
