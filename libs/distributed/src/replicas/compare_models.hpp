// Defines compareModels, broadcastModel and compareValues, which make replicas equal and check that they are.
#pragma once

#include <exception>
#include <memory>
#include <string>

#include "replicas/replica_group.hpp"
#include "tapestry/raii/mask.hpp"

namespace tapestry::detail {

/// Fails on all ranks with ModelMismatch if a rank's description differs from that of rank 0.
Do<void> compareModels(const std::shared_ptr<ReplicaGroup>& group);

/// Sets the weights, and the state of their optimizers, to those of rank 0. Fails on all ranks if a rank
/// fails.
Do<void> broadcastModel(const std::shared_ptr<ReplicaGroup>& group);

/// Fails on all ranks with ModelMismatch if a weight or an optimizer's state differs from that of rank 0.
Do<void> compareValues(const std::shared_ptr<ReplicaGroup>& group);

/// Reports the success or failure of this rank to all ranks; fails with its own error, or with a RankError if
/// another rank has failed.
Do<void> meet(const AnyCommunicator& communicator, const std::exception_ptr& error,
              const std::string& operation);

/// Runs the program, and then reports its outcome to all ranks; yields its value if all ranks have succeeded.
/// Masked, since the other ranks wait.
template <class A>
Do<A> together(const AnyCommunicator& communicator, const Do<A>& program, const std::string& operation) {
  return mask(program.run().attempt().flatMap([communicator, operation](const Try<A>& result) {
    return meet(communicator, result.error(), operation).map([result] {
      return Try<A>(result).valueOrThrow();
    });
  }));
}

}  // namespace tapestry::detail
