// Defines RateLimiter, which lets runs pass at a rate.
#pragma once

#include <chrono>
#include <cstddef>

#include "tapestry/concurrent/detail/token_bucket.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

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
