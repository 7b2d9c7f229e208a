// Defines adagrad, gradient descent scaled by all gradients of the past.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "tapestry/deeplearning/detail/value.hpp"
#include "tapestry/deeplearning/optimizers/rate.hpp"
#include "tapestry/tensor/kernels/optimizer.hpp"

namespace tapestry {

/// squares' = squares + gradient^2, weight' = weight - learningRate * gradient / (sqrt(squares') + epsilon).
/// Duchi, Hazan and Singer, "Adaptive Subgradient Methods" (2011), the diagonal form of figure 1.
struct Adagrad {
  Rate learningRate = 0.01;
  double epsilon = 1e-10;

  template <class V>
  struct State {
    std::optional<V> squares;
    std::uint64_t steps = 0;

    static void parts(auto& state, const auto& f) {
      f("squares", state.squares);
      f("steps", state.steps);
    }
  };

  template <class V>
  V step(const V& weight, V gradient, State<V>& state) const {
    using T = detail::ElementOf<V>;
    if (!state.squares) state.squares = detail::filledLike(weight, T{0});
    const kernels::AdaptiveParameters<T> parameters{static_cast<T>(learningRate.rate(state.steps++)), 1, 1,
                                                    static_cast<T>(epsilon)};
    auto [stepped, squares] = kernels::adaptiveStep(weight, gradient, *std::move(state.squares), parameters);
    state.squares = std::move(squares);
    return stepped;
  }
};

/// adagrad({.learningRate = 0.1}). Keeps one value of the weight's size. Throws std::invalid_argument unless
/// epsilon is more than 0.
inline Adagrad adagrad(Adagrad rule = {}) {
  detail::requirePositive("adagrad", "epsilon", rule.epsilon);
  return rule;
}

}  // namespace tapestry
