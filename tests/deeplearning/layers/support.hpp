// Defines checkLayer and checkLayers, which compare the gradients of a layer's weights, and of what it is
// applied to, with central differences.
#pragma once

#include <functional>
#include <variant>
#include <vector>

#include "support/networks/drawn_operation.hpp"
#include "support/networks/finite_differences.hpp"
#include "support/networks/late_layer.hpp"
#include "tapestry/deeplearning/initializers.hpp"
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

/// A layer that was drawn at random: its weights, and a loss of its result.
struct DrawnLayer {
  Weights weights;
  std::function<DoubleLayer(const DoubleTensorLayer&)> loss;
  Tensor<double> data;
  Mode mode = Mode::predict;
};

/// Checks what `draw` draws, with random values for all weights, and with a late operand every other time.
inline void checkLayers(const std::function<DrawnLayer(Random&, Generator&)>& draw, int draws = 24) {
  Random random(43);
  Generator generator(43);
  for (int i = 0; i < draws; ++i) {
    const DrawnLayer layer = draw(random, generator);
    const DoubleTensorWeight x(layer.data);
    std::vector<DoubleTensorWeight> weights{x};
    for (const auto& named : layer.weights)
      if (const auto* weight = std::get_if<DoubleTensorWeight>(&named.weight)) {
        weight->setData(random.tensor<double>(weight->data().shape(), -1, 1));
        weights.push_back(*weight);
      }
    INFO("draw ", i, ", at data of shape ", toString(layer.data.shape()));
    checkGradientsIn(layer.mode, layer.loss(i % 2 == 0 ? DoubleTensorLayer(x.node()) : lateLayer(x)),
                     weights);
  }
}

}  // namespace tapestry::test
