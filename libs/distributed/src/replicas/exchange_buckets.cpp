// The exchange of buckets: first by a program beside the pass, then by the pass.
#include "replicas/rank_exchange.hpp"
#include "tapestry/continuation/monad/errors.hpp"
#include "tapestry/raii/clock.hpp"
#include "tapestry/raii/mask.hpp"

namespace tapestry::detail {

void RankExchange::beginBeside() {
  withClock(clock_, mask(exchangeBeside(0)))
      .onComplete(
          [self = shared_from_this()](const tapestry::Outcome<void>& end) {
            if (!end.hasValue())
              self->breakLane(end.hasError() ? end.error() : std::make_exception_ptr(Cancelled()));
            self->isTaken();
          },
          group_->executor());
}

Do<void> RankExchange::exchangeBeside(std::size_t bucket) {
  if (bucket == buckets_.size()) return Do<void>::now();
  return buckets_[bucket].ready.wait().flatMap([this, bucket] {
    if (!claim(bucket)) return Do<void>::now();
    return exchange(bucket).flatMap(
        [this, bucket] { return isTaken() ? Do<void>::now() : exchangeBeside(bucket + 1); });
  });
}

Do<void> RankExchange::exchangeRemaining() {
  return Do<void>::suspend([this] {
    endBuckets();
    return takeOver().flatMap([this] { return exchangeFrom(claimed_); });
  });
}

Do<void> RankExchange::exchangeFrom(std::size_t bucket) {
  if (bucket == buckets_.size() || isOver_) return Do<void>::now();
  return exchange(bucket).flatMap([this, bucket] { return exchangeFrom(bucket + 1); });
}

Do<void> RankExchange::exchange(std::size_t bucket) {
  if (isOver_ || broken_) return Do<void>::now();
  const auto state = std::make_shared<std::uint64_t>(stateOf(buckets_[bucket]));
  return lane()
      .allReduce(std::span(state.get(), 1), ReduceOp::max, state)
      .flatMap([this, bucket, state] {
        if (*state == over) isOver_ = true;
        if (*state != full) return Do<void>::now();
        return buckets_[bucket].allReduce(lane()).map([this, bucket] { buckets_[bucket].isReduced = true; });
      })
      .handleError([this](const std::exception_ptr& error) {
        breakLane(error);
        return Do<void>::now();
      });
}

bool RankExchange::claim(std::size_t bucket) {
  const std::lock_guard lock(mutex_);
  if (taken_) return false;
  claimed_ = bucket + 1;
  busy_ = true;
  return true;
}

bool RankExchange::isTaken() {
  bool taken = false;
  {
    const std::lock_guard lock(mutex_);
    busy_ = false;
    taken = taken_;
  }
  if (taken) handedOver_.set();
  return taken;
}

Do<void> RankExchange::takeOver() {
  const std::lock_guard lock(mutex_);
  taken_ = true;
  return busy_ ? handedOver_.wait() : Do<void>::now();
}

std::uint64_t RankExchange::stateOf(const Bucket& bucket) const noexcept {
  return failed_ ? over : bucket.isFull() ? full : incomplete;
}

}  // namespace tapestry::detail
