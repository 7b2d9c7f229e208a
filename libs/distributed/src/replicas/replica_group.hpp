// Defines ReplicaGroup, one rank's state of the replicas of a model, and the order of its passes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <vector>

#include "replicas/bucket.hpp"
#include "replicas/helped_executor.hpp"
#include "tapestry/deeplearning/extend/pass_gradients.hpp"
#include "tapestry/distributed/replicas.hpp"

namespace tapestry::detail {

/// What a pass exchanges by: a communicator for the small collectives, which are in one order on all ranks,
/// and others for the buckets, in turn, so that as many buckets may be under way. One pass at a time uses a
/// lane.
struct Lane {
  static constexpr std::size_t bucketsUnderWay = 2;

  AnyCommunicator votes;
  std::vector<AnyCommunicator> buckets;
  const AnyCommunicator& ofBucket(std::size_t number) const noexcept {
    return buckets[number % bucketsUnderWay];
  }
};

/// The place of a pass among the passes of its rank. The passes of all ranks with the same number belong
/// together.
struct PassTurn {
  std::size_t lane = 0;
  Event laneFree;       ///< set when the lane's pass before this one has ended
  Event othersStepped;  ///< set when the pass before this one has ended
  Event ended;          ///< of this pass
};

/// Thread-safe.
class ReplicaGroup {
 public:
  struct Member {
    std::string name;
    extend::WeightId id;
    extend::WeightForm form;
  };

  ReplicaGroup(AnyCommunicator communicator, Weights weights, ReplicaOptions options);
  /// To be called once, before the first pass.
  void setLanes(std::vector<Lane> lanes);

  const AnyCommunicator& communicator() const noexcept { return communicator_; }
  const Lane& lane(std::size_t index) const noexcept { return lanes_[index]; }
  std::size_t lanes() const noexcept { return lanes_.size(); }
  std::size_t rank() const noexcept { return communicator_.rank(); }
  std::size_t size() const noexcept { return communicator_.size(); }

  const Weights& weights() const noexcept { return weights_; }
  Executor& executor() const noexcept {
    return options_.executor ? *options_.executor : HelpedExecutor::instance();
  }
  /// To be called by threads that compute, between two computations.
  void help() const noexcept {
    if (!options_.executor) HelpedExecutor::instance().help();
  }
  /// The weights, each once, under their first names, in the model's order.
  const std::vector<Member>& members() const noexcept { return members_; }
  /// Throws std::logic_error for a weight that the model does not list.
  std::size_t indexOf(extend::WeightId weight) const;
  const std::vector<BucketPlan>& buckets() const noexcept { return buckets_; }

  /// Returns, as texts, the properties that must be equal on all ranks.
  std::vector<std::string> description() const;

  /// Numbers one more pass.
  PassTurn nextTurn();

  /// The error for all later passes on the lane, or null.
  std::exception_ptr errorOfLane(std::size_t lane) const;
  void breakLane(std::size_t lane, const std::exception_ptr& error);

 private:
  const AnyCommunicator communicator_;
  const Weights weights_;
  const ReplicaOptions options_;
  std::vector<Lane> lanes_;
  std::vector<Member> members_;
  std::vector<std::pair<extend::WeightId, std::size_t>> indices_;  ///< sorted
  std::vector<BucketPlan> buckets_;
  mutable std::mutex mutex_;  ///< guards the members below
  std::uint64_t turns_ = 0;
  Event lastEnded_;
  std::vector<Event> laneEnded_;
  std::vector<std::exception_ptr> errors_;  ///< of the lanes
};

}  // namespace tapestry::detail
