// Defines adamW, Adam with decoupled weight decay.
#pragma once

#include <utility>

#include "tapestry/deeplearning/optimizers/adam.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Adam's step, less learningRate * weightDecay * weight. Loshchilov and Hutter, "Decoupled Weight Decay
/// Regularization" (2019), algorithm 2, where the learning rate, with its schedule, scales both.
struct AdamW {
  Rate learningRate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weightDecay = 0.01;

  template <class V>
  using State = Adam::State<V>;

  template <detail::Numbers V>
  V step(const V& weight, V gradient, State<V>& state) const {
    return Adam{learningRate, beta1, beta2, epsilon}.stepWithDecay("adamW", weight, gradient, state,
                                                                   weightDecay);
  }
};

/// adamW({.weightDecay = 0.1}). Keeps two values of the weight's size. Throws std::invalid_argument as adam
/// does, and unless the decay is finite and at least 0.
inline AdamW adamW(AdamW parameters = {}) {
  detail::requireMoments("adamW", parameters);
  detail::requireFactor("adamW", "weightDecay", parameters.weightDecay);
  return parameters;
}

}  // namespace tapestry
#pragma GCC visibility pop
