// Defines sgd, plain gradient descent.
#pragma once

#include <utility>

#include "tapestry/deeplearning/detail/parameters.hpp"
#include "tapestry/deeplearning/optimizers/detail/rule_kind.hpp"
#include "tapestry/deeplearning/optimizers/detail/state_parts.hpp"
#include "tapestry/deeplearning/optimizers/rate.hpp"
#include "tapestry/tensor/kernels/optimizer.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// weight - learningRate * gradient.
struct Sgd {
  Rate learningRate = 0.01;

  template <class V>
  using State = detail::StepCount;

  template <detail::Numbers V>
  V step(const V& weight, V gradient, State<V>& state) const {
    using T = detail::ElementOf<V>;
    return kernels::sgdStep(weight, gradient, learningRate.next<T>("sgd", state.steps));
  }
};

/// sgd(0.1), or a schedule: sgd(stepDecay({.initial = 0.1, .every = 1000})).
inline Sgd sgd(Rate learningRate = 0.01) { return {std::move(learningRate)}; }

/// Adds a multiple of the delta to the weight: a product in the delta is never computed apart from the
/// weight.
template <>
struct detail::StepsByDelta<Sgd> {
  template <class T>
  static double factor(const Sgd& rule, StepCount& state) {
    return -rule.learningRate.next<T>("sgd", state.steps);
  }
};

}  // namespace tapestry
#pragma GCC visibility pop
