// Defines momentum, gradient descent with a velocity.
#pragma once

#include <optional>
#include <utility>

#include "tapestry/deeplearning/detail/value.hpp"
#include "tapestry/deeplearning/kernels/optimizer.hpp"

namespace tapestry {

/// velocity' = momentum * velocity + gradient, weight' = weight - learningRate * velocity' (Polyak, 1964).
struct MomentumRule {
  double learningRate = 0.01;
  double momentum = 0.9;

  template <class V>
  struct State {
    std::optional<V> velocity;
  };

  template <class V>
  V step(const V& weight, V gradient, State<V>& state) const {
    using T = detail::ElementOf<V>;
    if (!state.velocity) state.velocity = detail::filledLike(weight, T{0});
    auto [stepped, velocity] = kernels::momentumStep(weight, gradient, *std::move(state.velocity),
                                                     static_cast<T>(learningRate), static_cast<T>(momentum));
    state.velocity = std::move(velocity);
    return stepped;
  }
};

/// momentum({.learningRate = 0.1}). Keeps one value of the weight's size.
inline MomentumRule momentum(MomentumRule rule) { return rule; }

}  // namespace tapestry
