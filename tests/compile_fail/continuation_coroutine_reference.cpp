// expect: tapestry::Coroutine: got a reference, expected a value or void
// expect-lines: 10
#include "tapestry/continuation/coroutine/coroutine.hpp"

int number = 1;
tapestry::Coroutine<int&> reference() { co_return number; }
