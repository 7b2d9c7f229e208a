#include "tapestry/concurrent/rate_limiter.hpp"

#include <limits>
#include <stdexcept>
#include <string>

#include "tapestry/concurrent/detail/arguments.hpp"
#include "tapestry/continuation/extend/timer.hpp"
#include "tapestry/continuation/sleep_for.hpp"

namespace tapestry::detail {

void TokenBucket::earn(Clock::TimePoint now) noexcept {
  if (now <= since_) return;
  const std::int64_t missing = capacity_ - units_;
  // the first time, the bucket is full
  const std::int64_t ticks = missing == 0 ? 0 : (now - since_).count();
  since_ = now;
  units_ += ticks > missing / earned_ ? missing : ticks * earned_;
}

Clock::Duration TokenBucket::take(Clock::TimePoint now) noexcept {
  const SpinGuard guard(lock_);
  earn(now);
  isReserved_ = units_ < cost_;
  if (isReserved_) {
    const std::int64_t missing = cost_ - units_;
    return Clock::Duration(missing / earned_ + (missing % earned_ != 0));
  }
  units_ -= cost_;
  return Clock::Duration::zero();
}

bool TokenBucket::tryTake(Clock::TimePoint now) noexcept {
  if (turn.permits->awaited()) return false;
  const bool isTaken = turn.permits->available() == 0;
  const SpinGuard guard(lock_);
  earn(now);
  if ((isTaken && isReserved_) || units_ < cost_) return false;
  units_ -= cost_;
  return true;
}

namespace {

/// For the run that has the turn.
Do<void> takePermit(const Ref<TokenBucket>& bucket, const Location& location) {
  return Do<Clock*>::lift(askClock()).flatMap([bucket, location](Clock* clock) {
    const auto left = bucket->take(clock->now());
    if (left == Clock::Duration::zero()) return Do<void>::now();
    return Do<void>::lift(sleepFor(left, location)).flatMap([bucket, location] {
      return takePermit(bucket, location);
    });
  });
}

[[noreturn]] void refuseLimit(const char* what, std::int64_t got, const std::string& expected) {
  throw std::invalid_argument(std::string("tapestry::RateLimiter: ") + what + ", got " + std::to_string(got) +
                              ", expected " + expected);
}

Ref<TokenBucket> bucketOf(const RateLimit& limit) {
  atLeast(1, limit.permits, "RateLimiter", "the number of permits");
  atLeast(1, limit.burst, "RateLimiter", "the burst");
  const std::int64_t per = limit.per.count();
  if (per < 1) refuseLimit("the permits come in no time", per, "a duration of 1 tick or more");
  const std::int64_t most = std::numeric_limits<std::int64_t>::max() / per - 1;
  if (limit.burst > most)
    refuseLimit("the burst is too large for the duration", limit.burst, "at most " + std::to_string(most));
  return makeRef<TokenBucket>(limit.permits, per, limit.burst);
}

}  // namespace

}  // namespace tapestry::detail

namespace tapestry {

RateLimiter::RateLimiter(const RateLimit& limit) : bucket_(detail::bucketOf(limit)) {}

Do<void> RateLimiter::acquire(detail::Location location) const {
  return detail::take(bucket_->turn, "RateLimiter::acquire", location)
      .flatMap([bucket = bucket_, location] { return detail::takePermit(bucket, location); })
      .run();
}

Do<bool> RateLimiter::tryAcquire() const {
  return Do<Clock*>::lift(askClock()).map([bucket = bucket_](Clock* clock) {
    return bucket->tryTake(clock->now());
  });
}

}  // namespace tapestry
