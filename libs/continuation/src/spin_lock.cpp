#include "tapestry/continuation/detail/spin_lock.hpp"

#include <thread>

namespace tapestry::detail {

namespace {

/// Tells the processor that this is a loop that waits.
void relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

void SpinLock::lockSlowly() noexcept {
  // who holds it is gone after some instructions, unless its thread lost the processor
  for (int rounds = 0;; ++rounds) {
    if (rounds < 100)
      relax();
    else
      pause();
    if (!locked_.load(std::memory_order_relaxed) && tryLock()) return;
  }
}

void SpinLock::pause() noexcept { std::this_thread::yield(); }

}  // namespace tapestry::detail
