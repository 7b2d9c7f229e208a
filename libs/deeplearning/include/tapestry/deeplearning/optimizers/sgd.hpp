// Defines sgd, plain gradient descent.
#pragma once

#include <utility>

#include "tapestry/deeplearning/detail/value.hpp"
#include "tapestry/deeplearning/kernels/optimizer.hpp"

namespace tapestry {

/// weight - learningRate * gradient.
struct Sgd {
  double learningRate = 0.01;

  template <class V>
  struct State {};

  template <class V>
  V step(const V& weight, V gradient, State<V>&) const {
    return kernels::sgdStep(weight, gradient, static_cast<detail::ElementOf<V>>(learningRate));
  }
};

/// The rate is not checked: 0 learns nothing, a negative one climbs.
inline Sgd sgd(double learningRate) { return {learningRate}; }

}  // namespace tapestry
