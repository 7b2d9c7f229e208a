// Defines Replicas, the weights of a model of which each rank has a copy, and replicate, which makes them
// equal.
#pragma once

#include <cstddef>
#include <memory>

#include "tapestry/continuation/executor.hpp"
#include "tapestry/deeplearning/weights.hpp"
#include "tapestry/distributed/any_communicator.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

class ReplicaGroup;

}  // namespace detail

struct ReplicaOptions {
  /// The most bytes of gradients that one allReduce combines; a larger weight has a separate allReduce.
  /// docs/scaling.md has the formula for the best size.
  std::size_t bucketBytes = 1024 * 1024;
  /// The number of passes that a rank may run at the same time. The n-th passes of all ranks, in the order in
  /// which they begin, take their step together. If a failure ends several passes, ranks may have begun
  /// different numbers of them, and the next steps fail until all ranks replicate again.
  std::size_t passes = 1;
  /// Executes the tasks that exchange the buckets, each of which is short; must outlive the replicas. Null
  /// means threads for blocking calls (blockingThreads), which the threads of the pass help whenever a bucket
  /// is full, so that the exchange continues while all threads compute.
  Executor* executor = nullptr;
};

/// A handle, copied in O(1), on the weights of one model, which have the same values on all ranks of a
/// communicator. They stay the same as long as all ranks step them by train(loss, allReduce(replicas)) alone.
class Replicas {
 public:
  /// This rank, and the number of ranks.
  std::size_t rank() const noexcept;
  std::size_t size() const noexcept;
  const Weights& weights() const noexcept;
  /// The communicator of the replicas, for collectives between the passes. No pass uses it.
  const AnyCommunicator& communicator() const noexcept;

  /// For replicate.
  explicit Replicas(std::shared_ptr<detail::ReplicaGroup> group) noexcept : group_(std::move(group)) {}
  /// For allReduce.
  const std::shared_ptr<detail::ReplicaGroup>& group() const noexcept { return group_; }

 private:
  std::shared_ptr<detail::ReplicaGroup> group_;
};

/// Sets the weights of all ranks, with the state of their optimizers, to those of rank 0, for the scope.
/// Every rank calls it, with the same model. Fails on all ranks with ModelMismatch if a rank has other names,
/// shapes, optimizers, options or another version of the library; the message names the rank and the first
/// difference. Fails with RankError if a rank does not come. If a rank fails to take the values, all ranks
/// fail, and some may have taken them.
///
/// The end of the scope is a meeting of all ranks: a rank that leaves while others begin a pass fails their
/// pass with a RankError. Cost: one broadcast of the model, and three split(0) for each of the passes.
[[nodiscard("a program does nothing until it is run")]] Do<Replicas> replicate(AnyCommunicator communicator,
                                                                               Weights weights,
                                                                               ReplicaOptions options = {});
template <HasWeights Model>
[[nodiscard("a program does nothing until it is run")]] Do<Replicas> replicate(AnyCommunicator communicator,
                                                                               const Model& model,
                                                                               ReplicaOptions options = {}) {
  return replicate(std::move(communicator), Weights(model.weights()), options);
}

/// Fails on all ranks with ModelMismatch unless the weights and the states of the optimizers have the same
/// bits on all ranks; the message names the first rank and weight that differ from those of rank 0. Every
/// rank calls it, between passes. Cost: one broadcast of the model.
[[nodiscard("a program does nothing until it is run")]] Do<void> checkSame(const Replicas& replicas);

}  // namespace tapestry
#pragma GCC visibility pop
