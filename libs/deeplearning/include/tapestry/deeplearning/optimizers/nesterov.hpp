// Defines nesterov, momentum that looks one step ahead.
#pragma once

#include "tapestry/deeplearning/detail/parameters.hpp"
#include "tapestry/deeplearning/optimizers/detail/state_parts.hpp"
#include "tapestry/deeplearning/optimizers/rate.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/optimizer.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// velocity' = momentum * velocity + gradient, weight' = weight - learningRate * (gradient + momentum *
/// velocity'). Nesterov (1983), with the weight kept where the gradient is taken: Bengio,
/// Boulanger-Lewandowski and Pascanu, "Advances in Optimizing Recurrent Networks" (2013), equation 7.
struct Nesterov {
  Rate learningRate = 0.01;
  double momentum = 0.9;

  template <class V>
  using State = detail::Moment<V, "velocity">;

  template <detail::Numbers V>
  V step(const V& weight, V gradient, State<V>& state) const {
    using T = detail::ElementOf<V>;
    const auto factor = static_cast<T>(momentum);
    state.value = kernels::add(kernels::scale(state.take(weight), factor), gradient);
    const V ahead = kernels::add(kernels::scale(*state.value, factor), gradient);
    return kernels::sgdStep(weight, ahead, learningRate.next<T>("nesterov", state.steps));
  }
};

/// nesterov({.learningRate = 0.1}). Keeps one value of the weight's size. Throws std::invalid_argument unless
/// the momentum is at least 0 and at most 1.
inline Nesterov nesterov(Nesterov rule = {}) {
  detail::requireMomentum("nesterov", rule.momentum);
  return rule;
}

}  // namespace tapestry
#pragma GCC visibility pop
