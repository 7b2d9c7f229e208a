// expect: nodiscard.*a Coroutine does nothing until it is awaited
// expect-lines: 10
#include "tapestry/continuation/coroutine.hpp"

tapestry::Coroutine<void> one() { co_return; }

void drop() { one(); }
