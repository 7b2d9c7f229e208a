// expect: tapestry::Coroutine: got a result of larger alignment
// expect-lines: 10
#include "tapestry/continuation/coroutine/coroutine.hpp"

struct alignas(64) Line {};
tapestry::Coroutine<Line> aligned() { co_return Line(); }
