// Defines stayAwakeUntil, with which a thread without work waits for work before it sleeps.
#pragma once

#include <chrono>
#include <thread>

namespace tapestry::detail {

/// The time for which a thread that works with others looks for work before it sleeps: waking it takes a
/// system call of the other thread, and often longer than the work (docs/decisions/awake-threads.md).
inline constexpr std::chrono::microseconds awakeFor(100);
/// The same for a thread that has helped another thread, which mostly needs help again after its own part of
/// the work.
inline constexpr std::chrono::microseconds awakeAfterHelp(500);

/// Waits until found() or the end of the time; returns whether found() was true. Yields the processor to
/// other threads meanwhile.
template <class F>
bool stayAwakeUntil(std::chrono::microseconds time, const F& found) noexcept {
  using Time = std::chrono::steady_clock;
  for (const auto end = Time::now() + time; !found(); std::this_thread::yield())
    if (Time::now() >= end) return false;
  return true;
}

}  // namespace tapestry::detail
