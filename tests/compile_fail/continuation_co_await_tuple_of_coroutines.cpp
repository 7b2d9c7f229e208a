// expect: await_transform\(.*expected programs, direct<M>\(\[=\] \{ return coroutine\(\); \}\)
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/coroutine/coroutine.hpp"

using tapestry::Coroutine;

Coroutine<int> one();
Coroutine<void> both() { co_await std::pair(one(), tapestry::now(1)); }
