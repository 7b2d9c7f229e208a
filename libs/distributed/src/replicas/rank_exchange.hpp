// Defines RankExchange, the exchange of one pass with the passes of the other ranks.
#pragma once

#include <atomic>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "replicas/bucket.hpp"
#include "replicas/replica_group.hpp"
#include "replicas/vote.hpp"
#include "tapestry/deeplearning/extend/exchange.hpp"

namespace tapestry::detail {

/// On its lane, every rank has the same collectives, in this order:
/// 1. for each bucket a header, the greatest BucketState of all ranks, and, if it is `full`, the bucket; a
///    header that is `over` is the last;
/// 2. the votes of all ranks; if one has failed, that is the end;
/// 3. what the buckets have not exchanged of weights that any rank has touched: numbers, then rows;
/// 4. whether any rank has failed to prepare its steps, and then the votes about this.
class RankExchange final : public extend::Exchange {
 public:
  RankExchange(std::shared_ptr<ReplicaGroup> group, double weight);

  /// Takes the next turn, and waits until the lane is free. Fails with the error of a lane that is broken.
  Do<void> begin();
  /// Step 1, to be run beside the pass; begins after begin().
  Do<void> exchangeBuckets();
  /// The end of the scope of a pass: takes part as a failed pass in the steps that have not been taken.
  Do<void> end();
  /// Takes part in a pass as a rank that has left.
  Do<void> leave();

  void complete(extend::PassGradients pass, extend::WeightId weight) noexcept override;
  Do<double> settle(extend::PassGradients pass, std::exception_ptr failure) override;
  Do<void> agree(std::exception_ptr failure) override;

 private:
  enum BucketState : std::uint64_t { full, incomplete, over };

  const AnyCommunicator& lane() const noexcept { return group_->lane(turn_.lane); }
  Do<void> exchangeFrom(std::size_t bucket);
  std::uint64_t stateOf(const Bucket& bucket) const noexcept;
  /// Step 2.
  Do<std::vector<Vote>> exchangeVotes();
  /// Returns the sum of the weights, and which weights of the model any rank has touched. Throws the error of
  /// votes that have failed.
  Vote sumOf(const std::vector<Vote>& votes) const;
  void putReduced(extend::PassGradients pass) const;
  /// Step 3.
  Do<void> restOf(extend::PassGradients pass, const std::vector<std::uint8_t>& touched);

  /// Records the error, of which the first counts, and ends the wait for buckets.
  void fail(const std::exception_ptr& error) noexcept;
  /// The same for an error of the communicator, which fails all later passes of the lane.
  void breakLane(const std::exception_ptr& error) noexcept;
  void endBuckets() noexcept;
  std::exception_ptr error() const;

  const std::shared_ptr<ReplicaGroup> group_;
  const double weight_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;  ///< of each weight: its bucket and its slot
  std::deque<Bucket> buckets_;
  std::vector<std::uint8_t> touched_;
  PassTurn turn_;
  Event begun_;
  Event bucketsEnded_;
  bool leaves_ = false, voted_ = false, agreed_ = false;
  std::atomic<bool> failed_{false}, broken_{false};
  mutable std::mutex mutex_;  ///< guards error_
  std::exception_ptr error_;
};

}  // namespace tapestry::detail
