// expect: nodiscard.*a Coroutine does nothing until it is awaited
// expect-lines: 12
// (no fewer, since g++ shows the call, the function, and the class)
#include "tapestry/continuation/coroutine/coroutine.hpp"

tapestry::Coroutine<void> one() { co_return; }

void drop() { one(); }
