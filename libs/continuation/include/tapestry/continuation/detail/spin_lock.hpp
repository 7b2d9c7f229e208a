// Defines SpinLock, for critical sections of a few instructions that run no user code, and SpinGuard, which
// holds a SpinLock.
#pragma once

#include <atomic>

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

}  // namespace tapestry::detail
#pragma GCC visibility pop
