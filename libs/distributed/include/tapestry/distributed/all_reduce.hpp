// Defines allReduce, by which all ranks step their replicas on the mean of their gradients, and joinStep.
#pragma once

#include "tapestry/deeplearning/extend/exchange.hpp"
#include "tapestry/distributed/replicas.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

struct AllReduceOptions {
  /// The share of this rank in the mean, such as its number of examples: the gradients are multiplied by the
  /// weight, added up, and divided by the sum of all ranks' weights. Finite and not negative.
  double weight = 1;
};

/// train(loss, allReduce(replicas)): every rank runs a pass, and all step their weights by the mean of the
/// ranks' gradients, before clipping and the weights' own chains. The graphs of the passes may differ: a
/// weight that no rank has used is not stepped, and a rank that has not used it adds 0. Observations of
/// running averages are averaged over the ranks that have made any. Batch normalisation normalises by the
/// statistics of its own rank's batch, as trainMicroBatches does.
///
/// Gradients are added up in buckets during the backward computation: a bucket begins when all its weights
/// have their complete gradients, in the order of the model's weights from the last to the first; two are
/// under way at the same time. What remains follows at the end; tables exchange the rows that were read. The
/// sum is taken in one order on all ranks, so that replicas stay equal to the bit.
///
/// If a rank fails, has a loss or a gradient that is not finite, or is asked to stop, no rank steps: it fails
/// with its own error, the others fail with a RankError that has its rank and its reason, and the next pass
/// works. Fails with RankError, and so does each later pass, if a rank has left its replicas, or does not
/// come within the communicator's time limit. A weight that the model does not list is an error
/// (std::logic_error). Throws std::invalid_argument for a weight out of range.
///
/// Cost: for one rank, that of train(loss). Otherwise a copy of each gradient, two allReduce for each bucket,
/// of which the first has 8 bytes, one of 8 bytes for each weight, and one of 8 bytes; for what remains, one
/// for floats, one for doubles, and an allGather of rows, where there are any.
[[nodiscard]] Reduction allReduce(const Replicas& replicas, AllReduceOptions options = {});

/// Takes part in a step of the other ranks with no gradient and no weight, for a rank that has no examples
/// left.
[[nodiscard("a program does nothing until it is run")]] Do<void> joinStep(const Replicas& replicas);

}  // namespace tapestry
#pragma GCC visibility pop
