// Defines weightDecay, which lets a weight shrink beside the steps of its rule.
#pragma once

#include <utility>

#include "tapestry/deeplearning/detail/rule_state.hpp"
#include "tapestry/deeplearning/optimizers/rate.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"

namespace tapestry {

/// What the rule makes of the weight, less decay * weight, where the weight is that from before the step.
/// Loshchilov and Hutter, "Decoupled Weight Decay Regularization" (2019), equation 1.
struct WeightDecay {
  Rate decay;

  template <class V>
  using State = detail::StepCount;

  template <class V>
  V adjust(V stepped, const V& weight, State<V>& state) const {
    const auto shrink = static_cast<detail::ElementOf<V>>(-decay.rate(state.steps++));
    return kernels::add(std::move(stepped), kernels::scale(weight, shrink));
  }
};

/// chain(weightDecay(1e-4), momentum({})): anywhere before the rule, which does not see it. The rule's
/// learning rate does not scale it either: to decay at rate * factor, as adamW does, give that product, and
/// for a decay that follows the rate's schedule, a schedule. Throws std::invalid_argument unless the decay is
/// finite.
inline WeightDecay weightDecay(Rate decay) { return {std::move(decay)}; }

}  // namespace tapestry
