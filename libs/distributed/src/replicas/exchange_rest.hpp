// Defines exchangeRest, which exchanges the gradients that some ranks have and others have not.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "replicas/bucket.hpp"
#include "replicas/replica_group.hpp"

namespace tapestry::detail {

/// The pass of one rank, and what it exchanges gradients by.
struct ExchangingPass {
  std::shared_ptr<ReplicaGroup> group;
  AnyCommunicator lane;
  extend::PassGradients gradients;
  double weight;  ///< the factor of this rank's rows; buckets have been multiplied
};

/// Sets the gradients of all touched weights that are in no reduced bucket to the sums over all ranks: one
/// allReduce for floats and one for doubles, and one allGather for the rows of tables, where there are any.
/// `touched` says for each weight whether a rank has a gradient, and is the same on all ranks.
Do<void> exchangeRest(const ExchangingPass& pass, const std::deque<Bucket>& buckets,
                      const std::vector<std::uint8_t>& touched);

}  // namespace tapestry::detail
