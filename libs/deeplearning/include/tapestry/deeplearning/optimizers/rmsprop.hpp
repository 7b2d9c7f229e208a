// Defines rmsprop, gradient descent scaled by a running mean of the gradient's square.
#pragma once

#include <utility>

#include "tapestry/deeplearning/detail/parameters.hpp"
#include "tapestry/deeplearning/optimizers/detail/state_parts.hpp"
#include "tapestry/deeplearning/optimizers/rate.hpp"
#include "tapestry/tensor/kernels/optimizer.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// squares' = decay * squares + (1 - decay) * gradient^2,
/// weight' = weight - learningRate * gradient / (sqrt(squares') + epsilon).
/// Tieleman and Hinton, "Neural Networks for Machine Learning" (2012), lecture 6.5.
struct Rmsprop {
  Rate learningRate = 0.01;
  double decay = 0.9;
  double epsilon = 1e-8;

  template <class V>
  using State = detail::Moment<V, "meanSquares">;

  template <detail::Numbers V>
  V step(const V& weight, V gradient, State<V>& state) const {
    using T = detail::ElementOf<V>;
    const kernels::AdaptiveParameters<T> parameters{learningRate.next<T>("rmsprop", state.steps),
                                                    static_cast<T>(decay), static_cast<T>(1 - decay),
                                                    detail::epsilonAs<T>(epsilon)};
    auto [stepped, squares] = kernels::adaptiveStep(weight, gradient, state.take(weight), parameters);
    state.value = std::move(squares);
    return stepped;
  }
};

/// rmsprop({.learningRate = 1e-3}). Keeps one value of the weight's size. Throws std::invalid_argument unless
/// the decay is at least 0 and less than 1, and epsilon more than 0.
inline Rmsprop rmsprop(Rmsprop rule = {}) {
  detail::requireDecay("rmsprop", "decay", rule.decay);
  detail::requirePositive("rmsprop", "epsilon", rule.epsilon);
  return rule;
}

}  // namespace tapestry
#pragma GCC visibility pop
