#include "replicas/rank_exchange.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "replicas/exchange_rest.hpp"
#include "tapestry/continuation/monad/errors.hpp"
#include "tapestry/distributed/rank_error.hpp"
#include "tapestry/raii/mask.hpp"
#include "tapestry/tensor/kernels/magnitude.hpp"

namespace tapestry::detail {

namespace {

/// Throws std::range_error for a gradient that is not finite, before it reaches the sums of other ranks.
void requireFiniteGradient(const extend::Gradient& gradient, const std::string& weight) {
  const bool isFinite = std::visit(
      [](const auto& numbers) {
        if constexpr (requires { numbers.rows(); })
          return std::isfinite(kernels::magnitude(numbers.rows()));
        else
          return std::isfinite(kernels::magnitude(numbers));
      },
      gradient);
  if (!isFinite)
    throw std::range_error("tapestry::train: the gradient of \"" + weight +
                           "\" is not finite, expected finite numbers (checkFinite names the operation that "
                           "made it)");
}

bool hasLeft(const std::vector<Vote>& votes) {
  for (const Vote& vote : votes)
    if (vote.end == PassEnd::left) return true;
  return false;
}

}  // namespace

RankExchange::RankExchange(std::shared_ptr<ReplicaGroup> group, double weight)
    : group_(std::move(group)),
      weight_(weight),
      places_(group_->members().size()),
      touched_(group_->members().size()) {
  for (const BucketPlan& plan : group_->buckets()) {
    for (std::size_t slot = 0; slot < plan.slots.size(); ++slot)
      places_[plan.slots[slot].weight] = {buckets_.size(), slot};
    buckets_.emplace_back(plan);
  }
}

Do<void> RankExchange::begin() {
  return Do<void>::suspend([this] {
    turn_ = group_->nextTurn();
    return turn_.laneFree.wait().map([this] {
      const auto error = group_->errorOfLane(turn_.lane);
      if (error) {
        breakLane(error);
        turn_.ended.set();
      }
      begun_.set();
      if (error) std::rethrow_exception(error);
    });
  });
}

Do<void> RankExchange::exchangeBuckets() {
  const auto all = exchangeFrom(0).handleError([this](const std::exception_ptr& error) {
    breakLane(error);
    return Do<void>::now();
  });
  return mask(begun_.wait().flatMap([all] { return all; }).map([this] { bucketsEnded_.set(); }));
}

Do<void> RankExchange::exchangeFrom(std::size_t bucket) {
  if (bucket == buckets_.size() || broken_) return Do<void>::now();
  return buckets_[bucket].ready.wait().flatMap([this, bucket] {
    const auto state = std::make_shared<std::uint64_t>(stateOf(buckets_[bucket]));
    return lane().allReduce(std::span(state.get(), 1), ReduceOp::max, state).flatMap([this, bucket, state] {
      if (*state == over) return Do<void>::now();
      if (*state == incomplete) return exchangeFrom(bucket + 1);
      return buckets_[bucket].allReduce(lane()).flatMap([this, bucket] {
        buckets_[bucket].isReduced = true;
        return exchangeFrom(bucket + 1);
      });
    });
  });
}

std::uint64_t RankExchange::stateOf(const Bucket& bucket) const noexcept {
  return failed_ ? over : bucket.isFull() ? full : incomplete;
}

void RankExchange::complete(extend::PassGradients pass, extend::WeightId weight) noexcept {
  if (failed_) return;
  try {
    const std::size_t index = group_->indexOf(weight);
    touched_[index] = 1;
    if (group_->members()[index].form.byRows) return;
    auto gradient = pass.take(weight);
    requireFiniteGradient(gradient, group_->members()[index].name);
    const auto [bucket, slot] = places_[index];
    buckets_[bucket].put(slot, std::move(gradient), weight_);
  } catch (...) {
    fail(std::current_exception());
  }
}

Do<double> RankExchange::settle(extend::PassGradients pass, std::exception_ptr failure) {
  if (failure)
    fail(failure);
  else
    for (const extend::WeightId weight : pass.touched()) complete(pass, weight);
  endBuckets();
  return bucketsEnded_.wait()
      .flatMap([this] { return exchangeVotes(); })
      .flatMap([this, pass](const std::vector<Vote>& votes) {
        const Vote sum = sumOf(votes);
        putReduced(pass);
        return restOf(pass, sum.touched).flatMap([this, weight = sum.weight] {
          return turn_.othersStepped.wait().map([weight] { return weight == 0 ? 1 : 1 / weight; });
        });
      })
      .handleError([this](const std::exception_ptr& error) {
        fail(error);
        return Do<double>::raiseError(error);
      });
}

Do<void> RankExchange::restOf(extend::PassGradients pass, const std::vector<std::uint8_t>& touched) {
  return exchangeRest({group_, lane(), pass, weight_}, buckets_, touched);
}

Do<std::vector<Vote>> RankExchange::exchangeVotes() {
  voted_ = true;
  const auto own = error();
  if (broken_) return Do<std::vector<Vote>>::raiseError(own);
  Vote vote = own ? voteOf(own) : Vote{PassEnd::fine, {}, weight_, touched_};
  if (leaves_) vote.end = PassEnd::left;
  return lane()
      .allGather(vote.bytes())
      .map([this](const std::vector<Bytes>& all) {
        std::vector<Vote> votes;
        for (const Bytes& bytes : all) votes.push_back(Vote::of(bytes));
        if (hasLeft(votes)) group_->breakLane(turn_.lane, errorOfVotes(votes, nullptr));
        return votes;
      })
      .handleError([this](const std::exception_ptr& lost) {
        breakLane(lost);
        return Do<std::vector<Vote>>::raiseError(lost);
      });
}

Vote RankExchange::sumOf(const std::vector<Vote>& votes) const {
  if (const auto failure = errorOfVotes(votes, error())) std::rethrow_exception(failure);
  Vote sum{PassEnd::fine, {}, 0, std::vector<std::uint8_t>(touched_.size())};
  bool touches = false;
  for (const Vote& vote : votes) {
    sum.weight += vote.weight;
    for (std::size_t i = 0; i < vote.touched.size(); ++i) {
      sum.touched[i] |= vote.touched[i];
      touches |= vote.touched[i] != 0;
    }
  }
  if (touches && sum.weight == 0)
    throw std::invalid_argument(
        "tapestry::allReduce: the weights of all ranks in the mean are 0, expected one that is more than 0");
  return sum;
}

void RankExchange::putReduced(extend::PassGradients pass) const {
  for (const Bucket& bucket : buckets_) {
    if (!bucket.isReduced) continue;
    for (std::size_t slot = 0; slot < bucket.plan().slots.size(); ++slot) {
      const auto& member = group_->members()[bucket.plan().slots[slot].weight];
      pass.put(member.id, bucket.gradient(slot, member.form.gradient));
    }
  }
}

Do<void> RankExchange::agree(std::exception_ptr failure) {
  agreed_ = true;
  if (failure) fail(failure);
  const auto failures = std::make_shared<std::uint64_t>(failure ? 1 : 0);
  return lane().allReduce(std::span(failures.get(), 1), ReduceOp::max, failures).flatMap([this, failures] {
    if (*failures == 0) return Do<void>::now();
    return exchangeVotes().map([this](const std::vector<Vote>& votes) { static_cast<void>(sumOf(votes)); });
  });
}

Do<void> RankExchange::end() {
  return Do<void>::suspend([this] {
           const auto cancelled = std::make_exception_ptr(Cancelled());
           if (!voted_) {
             fail(cancelled);
             return bucketsEnded_.wait().flatMap([this] { return exchangeVotes(); }).map([](const auto&) {});
           }
           return agreed_ || failed_ ? Do<void>::now() : agree(cancelled);
         })
      .attempt()
      .map([this](const Try<void>&) { turn_.ended.set(); });
}

Do<void> RankExchange::leave() {
  leaves_ = true;
  fail(std::make_exception_ptr(Cancelled()));
  return begin()
      .flatMap([this] { return exchangeBuckets(); })
      .flatMap([this] { return exchangeVotes(); })
      .attempt()
      .map([this](const Try<std::vector<Vote>>&) { turn_.ended.set(); });
}

void RankExchange::fail(const std::exception_ptr& error) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = error;
  }
  failed_ = true;
  endBuckets();
}

void RankExchange::breakLane(const std::exception_ptr& error) noexcept {
  broken_ = true;
  fail(error);
  group_->breakLane(turn_.lane, error);
}

void RankExchange::endBuckets() noexcept {
  for (Bucket& bucket : buckets_) bucket.ready.set();
}

std::exception_ptr RankExchange::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

}  // namespace tapestry::detail
