#include "tapestry/continuation/detail/atomics.hpp"

#include <thread>

namespace tapestry::detail {

namespace {

/// Hints to the processor that this is a spin loop.
void relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

void SpinLock::lockSlowly() noexcept {
  // the lock is held for a few instructions, unless its holder lost the processor
  int rounds = 100;
  do {
    if (rounds > 0)
      --rounds, relax();
    else
      pause();
  } while (locked_.load(std::memory_order_relaxed) || !tryLock());
}

void SpinLock::pause() noexcept { std::this_thread::yield(); }

}  // namespace tapestry::detail
