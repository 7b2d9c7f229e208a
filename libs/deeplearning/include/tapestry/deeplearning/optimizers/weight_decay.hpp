// Defines weightDecay, which shrinks a weight in addition to the steps of its rule.
#pragma once

#include <utility>

#include "tapestry/deeplearning/detail/parameters.hpp"
#include "tapestry/deeplearning/optimizers/detail/state_parts.hpp"
#include "tapestry/deeplearning/optimizers/rate.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The rule's result less decay * weight, with the weight from before the step. Loshchilov and Hutter,
/// "Decoupled Weight Decay Regularization" (2019), equation 1.
struct WeightDecay {
  Rate decay;

  template <class V>
  using State = detail::StepCount;

  template <detail::Numbers V>
  V adjust(V stepped, const V& weight, State<V>& state) const {
    using T = detail::ElementOf<V>;
    const T shrink = -detail::finiteAs<T>("weightDecay", "the decay", decay.rate(state.steps++));
    return kernels::add(std::move(stepped), kernels::scale(weight, shrink));
  }
};

/// chain(weightDecay(1e-4), momentum({})): may be anywhere before the rule, which does not see the decay. The
/// rule's learning rate does not scale the decay: to decay at rate * factor, as adamW does, pass that
/// product, and for a decay that follows the rate's schedule, pass a schedule. Throws std::invalid_argument
/// unless the decay is finite.
inline WeightDecay weightDecay(Rate decay) { return {std::move(decay)}; }

}  // namespace tapestry
#pragma GCC visibility pop
