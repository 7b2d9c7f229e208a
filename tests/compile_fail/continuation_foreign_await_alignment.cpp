// expect: tapestry::Coroutine: got an awaiter of larger alignment
// expect-lines: 10
#include <coroutine>

#include "tapestry/continuation/coroutine/coroutine.hpp"

struct alignas(64) Line {
  bool await_ready() const noexcept { return true; }
  void await_suspend(std::coroutine_handle<>) const noexcept {}
  void await_resume() const noexcept {}
};
tapestry::Coroutine<void> aligned() { co_await Line(); }
