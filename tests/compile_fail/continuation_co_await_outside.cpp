// expect: await_ready.*tapestry::detail::Now|tapestry::detail::Now.*await_ready
// expect-lines: 10
#include "tapestry/continuation/coroutine/coroutine.hpp"

struct Foreign {
  struct promise_type {
    Foreign get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};

Foreign wait() { co_await tapestry::now(1); }
