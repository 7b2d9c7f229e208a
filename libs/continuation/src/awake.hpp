// Defines stayAwakeUntil, by which a thread without work waits for some before it sleeps.
#pragma once

#include <chrono>
#include <thread>

namespace tapestry::detail {

/// Before it sleeps, a thread that works with others looks for work that long: to be woken takes a system
/// call of the other and often longer than the work (docs/decisions/awake-threads.md).
inline constexpr std::chrono::microseconds awakeFor(100);
/// A thread that has helped another is mostly asked again after what that does alone.
inline constexpr std::chrono::microseconds awakeAfterHelp(500);

/// Until found() or the end of the time: whether it was found. Other threads have the processor
/// meanwhile.
template <class F>
bool stayAwakeUntil(std::chrono::microseconds time, const F& found) noexcept {
  using Time = std::chrono::steady_clock;
  for (const auto end = Time::now() + time; !found(); std::this_thread::yield())
    if (Time::now() >= end) return false;
  return true;
}

}  // namespace tapestry::detail
