// Defines SpinLock, for critical sections of a few instructions in which nothing of the user's runs.
#pragma once

#include <atomic>

namespace tapestry::detail {

class SpinLock {
 public:
  void lock() noexcept {
    // acquire/release: what the lock guards is seen by the next holder
    while (locked_.exchange(true, std::memory_order_acquire)) pause();
  }
  void unlock() noexcept { locked_.store(false, std::memory_order_release); }

 private:
  static void pause() noexcept;
  std::atomic<bool> locked_{false};
};

class SpinGuard {
 public:
  explicit SpinGuard(SpinLock& lock) noexcept : lock_(lock) { lock_.lock(); }
  SpinGuard(const SpinGuard&) = delete;
  SpinGuard& operator=(const SpinGuard&) = delete;
  ~SpinGuard() { lock_.unlock(); }

 private:
  SpinLock& lock_;
};

}  // namespace tapestry::detail
