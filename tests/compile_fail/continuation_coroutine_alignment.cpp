// expect: tapestry::Coroutine: got an awaited value or program of larger alignment
// expect-lines: 10
#include "tapestry/continuation/coroutine/coroutine.hpp"

struct alignas(64) Line {};
tapestry::Coroutine<void> aligned() {
  co_await tapestry::delay([] { return Line(); });
}
