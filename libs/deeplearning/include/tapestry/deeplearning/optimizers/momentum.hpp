// Defines momentum, gradient descent with a velocity.
#pragma once

#include <utility>

#include "tapestry/deeplearning/detail/parameters.hpp"
#include "tapestry/deeplearning/optimizers/detail/state_parts.hpp"
#include "tapestry/deeplearning/optimizers/rate.hpp"
#include "tapestry/tensor/kernels/optimizer.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// velocity' = momentum * velocity + gradient, weight' = weight - learningRate * velocity' (Polyak, 1964).
struct Momentum {
  Rate learningRate = 0.01;
  double momentum = 0.9;

  template <class V>
  using State = detail::Moment<V, "velocity">;

  template <detail::Numbers V>
  V step(const V& weight, V gradient, State<V>& state) const {
    using T = detail::ElementOf<V>;
    const T rate = learningRate.next<T>("momentum", state.steps);
    auto [stepped, velocity] =
        kernels::momentumStep(weight, gradient, state.take(weight), rate, static_cast<T>(momentum));
    state.value = std::move(velocity);
    return stepped;
  }
};

/// momentum({.learningRate = 0.1}). Keeps one value of the weight's size. Throws std::invalid_argument unless
/// the momentum is at least 0 and at most 1.
inline Momentum momentum(Momentum rule = {}) {
  detail::requireMomentum("momentum", rule.momentum);
  return rule;
}

}  // namespace tapestry
#pragma GCC visibility pop
