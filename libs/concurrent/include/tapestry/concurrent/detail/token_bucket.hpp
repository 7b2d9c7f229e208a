// Defines TokenBucket, the permits that a RateLimiter has to give.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tapestry/continuation/clock.hpp"
#include "tapestry/raii/semaphore.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

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

}  // namespace tapestry::detail
#pragma GCC visibility pop
