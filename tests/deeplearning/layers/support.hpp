// Defines checkLayer, which compares the gradients of a layer's weights, and of what it is applied to, with
// central differences.
#pragma once

#include <variant>

#include "support/finite_differences.hpp"
#include "tapestry/deeplearning/weights.hpp"

namespace tapestry::test {

/// `loss` depends on all weights.
inline void checkWeights(const DoubleLayer& loss, const Weights& weights) {
  const auto exact = gradientsOf(loss);
  for (const auto& named : weights) {
    CAPTURE(named.name);
    checkGradient<double>(loss, std::get<DoubleTensorWeight>(named.weight), exact);
  }
}

/// A layer in double, applied to a weight that starts with the data given.
template <class F>
void checkLayer(const F& layer, const Tensor<double>& data) {
  const DoubleTensorWeight x(data);
  const DoubleLayer loss = asLoss(layer(x));
  checkWeights(loss, Weights{{"layer", layer}, {"x", x}});
}

}  // namespace tapestry::test
