#include "replicas/rank_exchange.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "replicas/exchange_rest.hpp"
#include "tapestry/continuation/monad/errors.hpp"
#include "tapestry/distributed/rank_error.hpp"
#include "tapestry/raii/environment.hpp"
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

}  // namespace

RankExchange::RankExchange(std::shared_ptr<ReplicaGroup> group, double weight, Clock& clock)
    : group_(std::move(group)),
      clock_(clock),
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
    return awaitLane()
        .flatMap([this] {
          if (!broken_) return Do<void>::now();
          return end().flatMap([this] { return Do<void>::raiseError(error()); });
        })
        .handleError([this](const std::exception_ptr& error) {
          if (!broken_) endBeside(error);
          return Do<void>::raiseError(error);
        });
  });
}

Do<void> RankExchange::awaitLane() {
  return turn_.laneFree.wait().map([this] {
    if (const auto error = group_->errorOfLane(turn_.lane)) breakLane(error);
  });
}

/// The lane's next pass waits for this program, up to the time limit of the communicator.
void RankExchange::endBeside(const std::exception_ptr& error) {
  fail(error);
  // on the system's clock, as that of the pass may end with the pass
  withClock(Clock::system(), mask(awaitLane().flatMap([this] { return end(); })))
      .onComplete([self = shared_from_this()](const tapestry::Outcome<void>&) { self->turn_.ended.set(); },
                  group_->executor());
}

void RankExchange::complete(extend::PassGradients pass, extend::WeightId weight) noexcept {
  if (failed_) return;
  try {
    const std::size_t index = group_->indexOf(weight);
    if (std::exchange(touched_[index], 1)) return;  // a table, whose rows stay in the pass
    auto gradient = pass.take(weight);
    requireFiniteGradient(gradient, group_->members()[index].name);
    if (group_->members()[index].form.byRows) return pass.put(weight, std::move(gradient));
    const auto [bucket, slot] = places_[index];
    const bool isFull = buckets_[bucket].put(slot, std::move(gradient), weight_);
    // the buckets after the first wait for the first, and the last need not be exchanged beside the pass
    if (!isFull || ends_ || buckets_.size() == 1) return;
    if (bucket == 0) runBeside(exchangeBeside(0, pass));
    group_->help();
  } catch (...) {
    fail(std::current_exception());
  }
}

Do<double> RankExchange::settle(extend::PassGradients pass, std::exception_ptr failure) {
  ends_ = true;
  pass_ = pass;
  if (failure)
    fail(failure);
  else
    for (const extend::WeightId weight : pass.touched()) complete(pass, weight);
  return exchangeRemaining()
      .flatMap([this] { return told(pass_, "vote", vote()); })
      .flatMap([this, pass](const Outcome& outcome) {
        putReduced(pass);
        const auto rest = exchangeRest({group_, votes(), pass, weight_}, buckets_, outcome.touched);
        return told(pass_, "rest", rest).flatMap([this, weight = outcome.weight] {
          return turn_.othersStepped.wait().map([weight] { return weight == 0 ? 1 : 1 / weight; });
        });
      })
      .handleError([this](const std::exception_ptr& error) {
        // other ranks continue with the sequence of collectives, unless all have failed together
        failedTogether_ ? fail(error) : breakLane(error);
        return Do<double>::raiseError(error);
      });
}

auto RankExchange::vote() -> Do<Outcome> {
  voted_ = true;
  if (broken_) return Do<Outcome>::raiseError(error());
  // whether the pass has failed, the weight in the mean, and whether each weight of the model has a gradient
  const auto sums = std::make_shared<std::vector<double>>(2 + touched_.size());
  (*sums)[0] = failed_ ? 1 : 0;
  (*sums)[1] = failed_ ? 0 : weight_;
  std::ranges::copy(touched_, sums->begin() + 2);
  return onLane(votes().allReduce(std::span(*sums), ReduceOp::sum, sums)).flatMap([this, sums] {
    if ((*sums)[0] != 0) return failTogether().map([] { return Outcome(); });
    Outcome outcome{(*sums)[1], std::vector<std::uint8_t>(touched_.size())};
    std::ranges::transform(sums->begin() + 2, sums->end(), outcome.touched.begin(),
                           [](double count) { return count != 0; });
    failedTogether_ = outcome.weight == 0 && std::ranges::count(outcome.touched, 1) != 0;
    if (failedTogether_)
      throw std::invalid_argument(
          "tapestry::allReduce: the weights of all ranks in the mean are 0, expected one that is more "
          "than 0");
    return Do<Outcome>::now(std::move(outcome));
  });
}

Do<void> RankExchange::failTogether() {
  failedTogether_ = true;
  const auto own = error();
  Vote vote = own ? voteOf(own) : Vote();
  if (leaves_) vote.end = PassEnd::left;
  return onLane(gatherVotes(votes(), vote)).map([this, own](const std::vector<Vote>& votes) {
    if (std::ranges::count(votes, PassEnd::left, &Vote::end) != 0)
      group_->breakLane(turn_.lane, errorOfVotes(votes, nullptr));
    if (const auto failure = errorOfVotes(votes, own)) std::rethrow_exception(failure);
  });
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
  const auto all =
      onLane(votes().allReduce(std::span(failures.get(), 1), ReduceOp::max, failures))
          .flatMap([this, failures] { return *failures == 0 ? Do<void>::now() : failTogether(); });
  return told(pass_, "agreement", all);
}

Do<void> RankExchange::end() {
  return Do<void>::suspend([this] {
           pass_.reset();
           const auto cancelled = std::make_exception_ptr(Cancelled());
           if (!voted_) {
             fail(cancelled);
             return exchangeRemaining().flatMap([this] { return vote(); }).map([](const Outcome&) {});
           }
           return agreed_ || failed_ ? Do<void>::now() : agree(cancelled);
         })
      .attempt()
      .flatMap([this](const Try<void>&) { return turn_.othersStepped.wait(); })  // the passes end in order
      .attempt()
      .map([this](Try<void> waited) {
        turn_.ended.set();  // also if the executor has refused the wait
        std::move(waited).valueOrThrow();
      });
}

Do<void> RankExchange::leave() {
  leaves_ = true;
  return begin().flatMap([this] { return end(); }).attempt().map([](const Try<void>&) {});
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
