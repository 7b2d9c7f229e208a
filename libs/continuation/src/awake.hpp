// Defines stayAwakeUntil, by which a thread without work waits for some before it sleeps.
#pragma once

#include <chrono>
#include <thread>

namespace tapestry::detail {

/// Before it sleeps, a thread that works with others looks for work that long: to be woken takes a system
/// call of the other and often longer than the work (docs/decisions/awake-threads.md).
inline constexpr std::chrono::microseconds awakeFor(100);

/// Until found() or the end of `awakeFor`; whoever else wants the processor has it meanwhile.
template <class F>
void stayAwakeUntil(const F& found) noexcept {
  using Time = std::chrono::steady_clock;
  for (const auto end = Time::now() + awakeFor; !found() && Time::now() < end;) std::this_thread::yield();
}

}  // namespace tapestry::detail
