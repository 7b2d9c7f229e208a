// Declares prepareSteps, which computes the steps of the weights of a pass.
#pragma once

#include <memory>
#include <vector>

#include "tapestry/deeplearning/detail/node/trainable_node.hpp"
#include "tapestry/raii/do.hpp"

namespace tapestry::detail {

struct Touched {
  TrainableNode* weight;
  NodeState* state;
};

/// Functions capture it as `touched = touched`: a plain capture of a constant parameter would be constant,
/// and would be copied instead of moved.
using SharedTouched = std::shared_ptr<const std::vector<Touched>>;
using Steps = std::vector<std::unique_ptr<Update>>;

/// Prepares a step of each weight, with its gradient times `scale`, in parallel. Fails with the error of a
/// step, or with the errors of all steps that have failed at the same time.
Do<void> prepareSteps(const SharedTouched& touched, const std::shared_ptr<Steps>& steps, double scale);

}  // namespace tapestry::detail
