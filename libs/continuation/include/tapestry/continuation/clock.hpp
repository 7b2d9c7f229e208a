// Defines Clock, the source of time of sleepFor and timeout, askClock, which yields it, and withClock, which
// replaces it.
#pragma once

#include <chrono>
#include <concepts>

#include "tapestry/continuation/environment.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

class Timer;

}  // namespace detail

/// A source of time. A run's clock is part of its environment: `Clock::system()` unless `withClock` sets
/// another. testing::VirtualClock is another clock; a user-defined clock keeps its timers with
/// extend/timer.hpp.
class Clock {
 public:
  using Duration = std::chrono::steady_clock::duration;
  using TimePoint = std::chrono::steady_clock::time_point;

  virtual TimePoint now() const noexcept = 0;

  /// Calls timer.expired() once at the time, on a thread of the clock and not within this call. Thread-safe.
  virtual void start(detail::Timer& timer, TimePoint time) noexcept = 0;
  /// Returns true if the timer was waiting: it is then not called any more. Returns false if it has been
  /// called or is about to be called. Thread-safe.
  virtual bool cancel(detail::Timer& timer) noexcept = 0;

  /// Uses std::chrono::steady_clock. Its only thread starts with the first timer and lasts as long as the
  /// process.
  static Clock& system() noexcept;

 protected:
  ~Clock() = default;
};

namespace detail {

[[noreturn]] void throwDurationIsNaN();

/// A duration parameter in ticks of the clock, limited to the largest and the smallest count of ticks. Throws
/// std::invalid_argument for a duration that is not a number.
struct Ticks {
  template <class Rep, class Period>
  constexpr Ticks(std::chrono::duration<Rep, Period> duration) noexcept(
      !std::chrono::treat_as_floating_point_v<Rep>)
      : count(limited(duration)) {}
  template <std::convertible_to<Clock::Duration> T>
  constexpr Ticks(const T& duration) : count(converted(duration)) {}

  Clock::Duration count;

 private:
  template <class Rep, class Period>
  static constexpr Clock::Duration limited(std::chrono::duration<Rep, Period> duration) {
    using Fractional = std::chrono::duration<double, Clock::Duration::period>;
    constexpr bool isFractional = std::chrono::treat_as_floating_point_v<Rep>;
    if constexpr (isFractional)
      if (duration.count() != duration.count()) throwDurationIsNaN();
    const Fractional ticks(duration);
    if (!(ticks < Fractional(Clock::Duration::max()))) return Clock::Duration::max();
    if (ticks <= Fractional(Clock::Duration::min())) return Clock::Duration::min();
    // the cast of a float would multiply floats, whose product may be rounded up beyond the maximum
    if constexpr (isFractional)
      return std::chrono::duration_cast<Clock::Duration>(ticks);
    else
      return std::chrono::duration_cast<Clock::Duration>(duration);
  }
  // by conversion, not by Duration's constructor from a count, for types that also convert to a number
  static constexpr Clock::Duration converted(Clock::Duration duration) noexcept { return duration; }
};

struct ClockSlot {
  using Type = Clock*;
  static Clock* initial() noexcept { return &Clock::system(); }
};

/// The time plus the duration, or the last representable time if that is earlier, so that "for ever" is not
/// in the past. Precondition: `now` is not before the clock's epoch.
inline Clock::TimePoint later(Clock::TimePoint now, Clock::Duration duration) noexcept {
  constexpr auto last = Clock::TimePoint::max();
  return duration > last - now ? last : now + duration;
}

/// The run's clock.
inline Clock& clockOf(const Run& run) noexcept {
  Clock* const* const clock = run.environment()->find<ClockSlot>();
  return clock ? **clock : Clock::system();
}

}  // namespace detail

/// Yields the run's clock, whose now() is the time by which sleepFor, sleepUntil and timeout wait.
[[nodiscard("a program does nothing until it is run")]] inline auto askClock(
    detail::Location location = detail::Location::current()) {
  return ask<detail::ClockSlot>(location);
}

/// Runs the program with another clock, which must outlive its runs; also a Do and its releases, with
/// tapestry/raii/environment.hpp.
template <class P>
  requires requires(P program) { local<detail::ClockSlot>(nullptr, std::move(program)); }
[[nodiscard("a program does nothing until it is run")]] auto withClock(Clock& clock, P program) {
  return local<detail::ClockSlot>(&clock, std::move(program));
}

void withClock(...) = delete;  // expected a Clock and a program; for a Do raii/environment.hpp

}  // namespace tapestry
#pragma GCC visibility pop
