// Defines RateLimiter, which lets runs pass at a rate.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "tapestry/continuation/clock.hpp"
#include "tapestry/raii/semaphore.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// Counts in whole numbers, so that no permit is lost by rounding: each tick of the clock earns `earned`
/// units, and a permit costs `cost` units. A full bucket also keeps the surplus of the tick that filled it,
/// which is less than a permit.
class TokenBucket final : public Node {
 public:
  /// Starts full. Precondition: all are positive, and (burst + 1) * cost does not overflow.
  TokenBucket(std::int64_t earned, std::int64_t cost, std::int64_t burst) noexcept
      : earned_(earned),
        cost_(cost),
        capacity_(burst * cost + std::min(earned, cost) - 1),
        units_(capacity_) {}

  /// For the run that has the turn: takes a permit and returns 0, or returns the time until there is a
  /// permit, which is that run's.
  Clock::Duration take(Clock::TimePoint now) noexcept;
  /// Takes a permit, unless there is none, or a run waits for one.
  [[nodiscard]] bool tryTake(Clock::TimePoint now) noexcept;

  /// Held by the run that waits for the next permit; others wait for it, in the order of arrival.
  const PermitRequest turn{makeRef<Permits>(1), 1};

 private:
  void earn(Clock::TimePoint now) noexcept;

  const std::int64_t earned_, cost_, capacity_;
  SpinLock lock_;
  std::int64_t units_;
  bool isReserved_ = false;  ///< the last run with the turn waits for the next permit, or was stopped
  Clock::TimePoint since_ = Clock::TimePoint::min();  ///< units earned before are counted
};

}  // namespace detail

/// `permits` permits in each duration `per`, evenly, and, after a pause, up to `burst` permits at once.
struct RateLimit {
  std::ptrdiff_t permits = 1;
  Clock::Duration per = std::chrono::seconds(1);
  std::ptrdiff_t burst = 1;
};

/// A bucket of permits, full at first, that refills by the clock of the runs, which all have the same clock.
/// Runs get permits in the order of arrival. Copies share the bucket. Usable from several threads at once,
/// and by runs on any executors; a waiting run blocks no thread.
class RateLimiter {
 public:
  /// Throws std::invalid_argument for less than 1 permit, a duration of 0 or less, a burst below 1, and a
  /// burst that would take longer than the clock can count.
  explicit RateLimiter(const RateLimit& limit);

  /// Takes a permit as soon as it is this run's turn and a permit is there. A request to stop ends the wait,
  /// unless masked: the run takes no permit, and the next run has the turn. A request that comes when the
  /// permit has just been taken may cancel the run nevertheless, and the permit is used up.
  [[nodiscard("a program does nothing until it is run")]] Do<void> acquire(
      detail::Location location = detail::Location::current()) const;

  /// The same without waiting: yields whether it took a permit; false while runs wait.
  [[nodiscard("a program does nothing until it is run")]] Do<bool> tryAcquire() const;

 private:
  detail::Ref<detail::TokenBucket> bucket_;
};

}  // namespace tapestry
#pragma GCC visibility pop
