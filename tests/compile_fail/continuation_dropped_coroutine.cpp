// expect: nodiscard
#include "tapestry/continuation/coroutine.hpp"

tapestry::Coroutine<void> one() { co_return; }

void drop() { one(); }
