// expect: tapestry::Coroutine: the value of co_return does not make an A
// expect-lines: 10
#include <memory>

#include "tapestry/continuation/coroutine/coroutine.hpp"

tapestry::Coroutine<std::unique_ptr<int>> made() { co_return new int(1); }
