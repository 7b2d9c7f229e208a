#include "tapestry/continuation/detail/atomics.hpp"

#include <thread>

#include "tapestry/continuation/extend/spin_wait.hpp"

namespace tapestry {

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

namespace detail {

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

}  // namespace detail

std::chrono::nanoseconds extend::SpinWait::pause() noexcept {
  constexpr std::chrono::microseconds betweenYields(30);
  auto now = Time::now();
  if (began_ == Time::time_point()) {
    began_ = now;
    nextYield_ = now + betweenYields;
  }
  if (now < nextYield_) {
    relax();
  } else {
    std::this_thread::yield();
    now = Time::now();
    nextYield_ = now + betweenYields;
  }
  return now - began_;
}

}  // namespace tapestry
