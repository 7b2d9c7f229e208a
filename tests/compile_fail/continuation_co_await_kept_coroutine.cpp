// expect: tapestry::co_await: a Coroutine runs once, expected co_await std::move\(coroutine\)
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/coroutine/coroutine.hpp"

using tapestry::Coroutine;

Coroutine<void> twice(Coroutine<void> once) {
  co_await once;
  co_await once;
}
