#include <mutex>
#include <utility>

#include "fiber.hpp"

namespace tapestry::detail {

/// Free fibers: a few for each thread, and a depot for all threads. A fiber with another size than new fibers
/// is unmapped when it is taken or given back.
class FiberPool {
 public:
  static Fiber* take() noexcept {
    const std::size_t bytes = Fiber::newBytes();
    for (;;) {
      if (!thread.head) refill();
      if (!thread.head) return Fiber::map(bytes);
      Fiber* const fiber = pop(thread);
      if (fiber->bytes() == bytes) return fiber;
      fiber->unmap();
    }
  }

  static void give(Fiber* fiber) noexcept {
    if (fiber->bytes() != Fiber::newBytes()) return fiber->unmap();
    if (thread.count == thread.limit) {
      beginCaching();
      const std::lock_guard lock(depot().mutex);
      while (thread.count > thread.limit / 2 && depot().free.count < depot().free.limit)
        push(depot().free, pop(thread));
    }
    if (thread.count < thread.limit)
      push(thread, fiber);
    else
      fiber->unmap();
  }

 private:
  struct List {
    Fiber* head = nullptr;
    unsigned count = 0;
    unsigned limit = 0;
  };

  /// Never destroyed, so that blocks may run during static destruction.
  struct Depot {
    std::mutex mutex;
    List free{nullptr, 0, 512};
  };

  /// Gives this thread's fibers back when the thread ends.
  struct ExitHook {
    ExitHook() noexcept { thread.limit = 32; }
    ~ExitHook() {
      thread.limit = 0;
      while (thread.head) {
        Fiber* const fiber = pop(thread);
        const std::lock_guard lock(depot().mutex);
        if (depot().free.count < depot().free.limit)
          push(depot().free, fiber);
        else
          fiber->unmap();
      }
    }
  };

  static Depot& depot() noexcept {
    static Depot* const instance = new Depot;
    return *instance;
  }

  static void beginCaching() noexcept { static thread_local ExitHook hook; }

  static void refill() noexcept {
    beginCaching();
    const std::lock_guard lock(depot().mutex);
    while (thread.count < thread.limit / 4 && depot().free.head) push(thread, pop(depot().free));
  }

  static void push(List& list, Fiber* fiber) noexcept {
    fiber->nextFree_ = std::exchange(list.head, fiber);
    ++list.count;
  }
  static Fiber* pop(List& list) noexcept {
    --list.count;
    return std::exchange(list.head, list.head->nextFree_);
  }

  static constinit thread_local List thread;
};

constinit thread_local FiberPool::List FiberPool::thread;

Fiber* Fiber::take() noexcept { return FiberPool::take(); }

void Fiber::giveBack() noexcept { FiberPool::give(this); }

}  // namespace tapestry::detail
