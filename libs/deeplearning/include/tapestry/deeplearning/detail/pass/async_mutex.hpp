// Defines AsyncMutex, a mutex that a run waits for without blocking its thread.
#pragma once

#include "tapestry/continuation/extend/wait_queue.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// First come, first served; a cancelled waiter leaves the queue.
class AsyncMutex {
 public:
  /// Holds the mutex as a resource. `owner`, which the mutex is part of, is kept alive meanwhile.
  Do<void> hold(Ref<Node> owner);

  /// Takes the mutex at once unless it is held; a caller that gets true must unlock it.
  [[nodiscard]] bool tryLock() noexcept {
    const SpinGuard guard(queue_.lock);
    return !std::exchange(held_, true);
  }
  void unlock() noexcept;

 private:
  class Waiting;
  class Hold;

  WaitQueue queue_;
  bool held_ = false;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
