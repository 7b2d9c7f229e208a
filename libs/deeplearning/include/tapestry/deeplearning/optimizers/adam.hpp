// Defines adam, gradient descent scaled by running moments of the gradient.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "tapestry/deeplearning/detail/value.hpp"
#include "tapestry/deeplearning/kernels/optimizer.hpp"

namespace tapestry {

/// Kingma and Ba, "Adam: A Method for Stochastic Optimization" (2015), algorithm 1.
struct Adam {
  double learningRate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;

  template <class V>
  struct State {
    std::optional<V> first;
    std::optional<V> second;
    std::uint64_t steps = 0;
  };

  template <class V>
  V step(const V& weight, V gradient, State<V>& state) const {
    using T = detail::ElementOf<V>;
    if (!state.first) {
      state.first = detail::filledLike(weight, T{0});
      state.second = detail::filledLike(weight, T{0});
    }
    const kernels::AdamParameters<T> parameters{static_cast<T>(learningRate), static_cast<T>(beta1),
                                                static_cast<T>(beta2), static_cast<T>(epsilon)};
    auto [stepped, first, second] = kernels::adamStep(weight, gradient, *std::move(state.first),
                                                      *std::move(state.second), parameters, ++state.steps);
    state.first = std::move(first);
    state.second = std::move(second);
    return stepped;
  }
};

/// adam({.learningRate = 0.01}). Keeps two values of the weight's size.
inline Adam adam(Adam parameters = {}) { return parameters; }

}  // namespace tapestry
