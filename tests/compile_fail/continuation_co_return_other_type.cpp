// expect: tapestry::Coroutine: the value of co_return
// expect-lines: 10
#include <string>

#include "tapestry/continuation/coroutine/coroutine.hpp"

tapestry::Coroutine<int> number() { co_return std::string("one"); }
