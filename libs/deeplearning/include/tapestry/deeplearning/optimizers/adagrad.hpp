// Defines adagrad, gradient descent scaled by all gradients of the past.
#pragma once

#include <utility>

#include "tapestry/deeplearning/detail/parameters.hpp"
#include "tapestry/deeplearning/optimizers/detail/state_parts.hpp"
#include "tapestry/deeplearning/optimizers/rate.hpp"
#include "tapestry/tensor/kernels/optimizer.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// squares' = squares + gradient^2, weight' = weight - learningRate * gradient / (sqrt(squares') + epsilon).
/// Duchi, Hazan and Singer, "Adaptive Subgradient Methods" (2011), the diagonal form of figure 1.
struct Adagrad {
  Rate learningRate = 0.01;
  double epsilon = 1e-10;

  template <class V>
  using State = detail::Moment<V, "squares">;

  template <detail::Numbers V>
  V step(const V& weight, V gradient, State<V>& state) const {
    using T = detail::ElementOf<V>;
    const kernels::AdaptiveParameters<T> parameters{learningRate.next<T>("adagrad", state.steps), 1, 1,
                                                    detail::epsilonAs<T>(epsilon)};
    auto [stepped, squares] = kernels::adaptiveStep(weight, gradient, state.take(weight), parameters);
    state.value = std::move(squares);
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
#pragma GCC visibility pop
