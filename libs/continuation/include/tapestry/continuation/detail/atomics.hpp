// Defines Atomics, the atomics and locks of the library's state machines, SpinLock, for critical sections of
// a few instructions that run no user code, and SpinGuard, which holds a lock.
#pragma once

#include <atomic>

#include "tapestry/continuation/detail/engine/thread_state.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

class SpinLock {
 public:
  void lock() noexcept {
    if (!tryLock()) [[unlikely]]
      lockSlowly();
  }
  void unlock() noexcept { locked_.store(false, std::memory_order_release); }

  /// Lets other threads continue.
  static void pause() noexcept;

 private:
  // acquire/release: the next holder sees the guarded state
  bool tryLock() noexcept { return !locked_.exchange(true, std::memory_order_acquire); }
  void lockSlowly() noexcept;

  std::atomic<bool> locked_{false};
};

template <class Lock>
class [[nodiscard]] SpinGuard {
 public:
  explicit SpinGuard(Lock& lock) noexcept : lock_(lock) { lock_.lock(); }
  SpinGuard(const SpinGuard&) = delete;
  SpinGuard& operator=(const SpinGuard&) = delete;
  ~SpinGuard() { lock_.unlock(); }

 private:
  Lock& lock_;
};

/// The state machines are templates over this class, so that tests can run them with atomics and locks whose
/// every use is a step of a scheduler, which tries one interleaving after the other.
struct Atomics {
  template <class T>
  using Atomic = std::atomic<T>;
  using Lock = SpinLock;

  /// Called by a thread that waits for other threads, to let them continue.
  static void pause() noexcept { SpinLock::pause(); }
  /// Identifies the calling thread.
  static const void* thread() noexcept { return &threadState; }
  /// Called when a run of this thread checks a watched request.
  static void lookedAt() noexcept {
    if (threadState.stopWatch) threadState.stopWatch->lookedAt();
  }
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
