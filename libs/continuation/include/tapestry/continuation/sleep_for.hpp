// Defines sleepFor and sleepUntil, programs that wait without blocking a thread.
#pragma once

#include "tapestry/continuation/clock.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

void startSleep(Run& run, Clock::Duration duration, const Location& location);
void startSleep(Run& run, Clock::TimePoint time, const Location& location);

/// Waits for a duration, or until a time.
template <class Time>
class [[nodiscard("a program does nothing until it is run")]] Sleep : public ProgramOperations<Sleep<Time>> {
 public:
  using ValueType = void;

  Sleep(Time time, Location location) noexcept : time_(time), location_(location) {}

  void step(Run& run, Keeper) const { startSleep(run, time_, location_); }

 private:
  Time time_;
  Location location_;
};

}  // namespace detail

/// Waits for the duration by the run's clock, then continues on the run's executor. A run without an executor
/// continues on the clock's thread, which it should not keep busy. A request to stop ends the wait at once. A
/// duration of 0 or less waits for the clock's next turn; a wait whose end the clock cannot represent never
/// ends.
[[nodiscard("a program does nothing until it is run")]] inline auto sleepFor(
    detail::Ticks duration, detail::Location location = detail::Location::current()) {
  return detail::Sleep<Clock::Duration>(duration.count, location);
}

void sleepFor(...) = delete;  // expected a std::chrono::duration

/// Waits until the run's clock shows the time.
[[nodiscard("a program does nothing until it is run")]] inline auto sleepUntil(
    Clock::TimePoint time, detail::Location location = detail::Location::current()) {
  return detail::Sleep<Clock::TimePoint>(time, location);
}

void sleepUntil(...) = delete;  // expected a Clock::TimePoint

}  // namespace tapestry
#pragma GCC visibility pop
