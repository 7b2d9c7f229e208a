// Declares prepareSteps, which computes the steps of the weights of a pass, and allOrFirstError.
#pragma once

#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "tapestry/deeplearning/detail/node/trainable_node.hpp"
#include "tapestry/raii/do_tuple2.hpp"

namespace tapestry::detail {

struct Touched {
  TrainableNode* weight;
  NodeState* state;
};

/// Functions capture it as `touched = touched`: a plain capture of a constant parameter would be constant,
/// and would be copied instead of moved.
using SharedTouched = std::shared_ptr<const std::vector<Touched>>;
using Steps = std::vector<std::unique_ptr<Update>>;

/// Prepares a step of each weight, with its gradient times `scale`, in parallel, and runs what the steps need
/// before they are committed. Fails with the error of a step, or with the errors of all steps that have failed
/// at the same time.
Do<void> prepareSteps(const SharedTouched& touched, const std::shared_ptr<Steps>& steps, double scale);

/// Yields the values of programs, which run as in parSequence; fails with the first error alone, since a
/// device that is lost fails all of them.
template <class A>
Do<std::vector<Stored<A>>> allOrFirstError(const std::vector<Do<A>>& programs) {
  std::vector<Do<Try<A>>> attempts;
  for (const auto& program : programs) attempts.push_back(program.attempt());
  return parSequence(attempts, Location()).map([](std::vector<Try<A>> tried) {
    std::vector<Stored<A>> values;
    for (Try<A>& each : tried) {
      if (!each.hasValue()) std::rethrow_exception(each.error());
      values.push_back(std::move(each).get());
    }
    return values;
  });
}

}  // namespace tapestry::detail
