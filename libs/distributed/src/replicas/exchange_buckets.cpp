// The exchange of buckets: first by a program beside the pass, then by the pass.
#include "replicas/rank_exchange.hpp"
#include "tapestry/continuation/monad/errors.hpp"
#include "tapestry/raii/do_tuple2.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/mask.hpp"

namespace tapestry::detail {

void RankExchange::runBeside(const Do<void>& program) {
  withClock(clock_, mask(program))
      .onComplete(
          [self = shared_from_this()](const tapestry::Outcome<void>& end) {
            if (!end.hasValue()) {  // the executor takes no more work
              self->breakLane(end.hasError() ? end.error() : std::make_exception_ptr(Cancelled()));
              for (Bucket& bucket : self->buckets_) bucket.passed.set();
              self->isTaken();
            }
          },
          group_->executor());
}

Do<void> RankExchange::exchangeBeside(std::size_t bucket, extend::PassGradients pass) {
  if (bucket == buckets_.size()) return Do<void>::now();
  return buckets_[bucket].ready.wait().flatMap([=, this] {
    if (!claim(bucket)) return Do<void>::now();
    return exchangeHeader(bucket).flatMap([=, this](bool isFull) {
      // not as branches of this run, which would wait for the end of a computation of a thread that helps
      if (isFull)
        runBeside(reduce(bucket, pass));
      else
        buckets_[bucket].passed.set();
      return isTaken() ? Do<void>::now() : exchangeBeside(bucket + 1, pass);
    });
  });
}

Do<void> RankExchange::exchangeRemaining() {
  return Do<void>::suspend([this] {
    endBuckets();
    return takeOver().flatMap([this] { return exchangeFrom(claimed_); }).flatMap([this] {
      return awaitBuckets();
    });
  });
}

Do<void> RankExchange::exchangeFrom(std::size_t bucket) {
  if (bucket == buckets_.size() || isOver_) return Do<void>::now();
  return exchangeHeader(bucket).flatMap([this, bucket](bool isFull) {
    if (!isFull) {
      buckets_[bucket].passed.set();
      return exchangeFrom(bucket + 1);
    }
    if (bucket + 1 == buckets_.size()) return reduce(bucket, pass_);
    const auto both = tuple2(parallel(reduce(bucket, pass_)), parallel(exchangeFrom(bucket + 1)));
    return both.map([](const auto&) {});
  });
}

Do<void> RankExchange::awaitBuckets(std::size_t first) {
  if (first >= claimed_) return Do<void>::now();
  return buckets_[first].passed.wait().flatMap([this, first] { return awaitBuckets(first + 1); });
}

Do<bool> RankExchange::exchangeHeader(std::size_t bucket) {
  if (isOver_ || broken_) return Do<bool>::now(false);
  const auto state = std::make_shared<std::uint64_t>(stateOf(buckets_[bucket]));
  return votes()
      .allReduce(std::span(state.get(), 1), ReduceOp::max, state)
      .map([this, state] {
        if (*state == over) isOver_ = true;
        return *state == full;
      })
      .handleError([this](const std::exception_ptr& error) {
        breakLane(error);
        return Do<bool>::now(false);
      });
}

Do<void> RankExchange::reduce(std::size_t bucket, const std::optional<extend::PassGradients>& pass) {
  return awaitRoom(bucket)
      .flatMap([=, this] {
        if (broken_) return Do<void>::now();
        const auto reduced =
            buckets_[bucket].allReduce(group_->lane(turn_.lane).ofBucket(bucket)).map([this, bucket] {
              buckets_[bucket].isReduced = true;
            });
        return pass ? told(pass, "bucket " + std::to_string(bucket), reduced) : reduced;
      })
      .handleError([this](const std::exception_ptr& error) {
        breakLane(error);
        return Do<void>::now();
      })
      .map([this, bucket] { buckets_[bucket].passed.set(); });
}

Do<void> RankExchange::awaitRoom(std::size_t bucket) {
  if (bucket < Lane::bucketsUnderWay) return Do<void>::now();
  const std::size_t before = bucket - Lane::bucketsUnderWay;
  return buckets_[before].passed.wait().flatMap([this, before] { return awaitRoom(before); });
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
