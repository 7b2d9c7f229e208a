#include <tapestry/deeplearning/layers/layer_norm.hpp>

#include "deeplearning/layers/support.hpp"
#include "tapestry/deeplearning/initializers.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("a normalising layer starts without a scale and a shift, and then has them") {
  const LayerNorm<double> layer({2}, {.epsilon = 0});
  const Tensor<double> x({2, 2}, {1, 3, -5, 5});
  CHECK(valueOf(layer(x)) == Tensor<double>({2, 2}, {-1, 1, -1, 1}));
  layer.gain.setData(Tensor<double>({2}, {2, 3}));
  layer.bias.setData(Tensor<double>({2}, {10, 20}));
  CHECK(valueOf(layer(x)) == Tensor<double>({2, 2}, {8, 23, 8, 23}));
  CHECK(layer.weights().elements() == 4);
}

TEST_CASE("the gradients of a normalising layer are the central differences") {
  Generator generator(8);
  checkLayer(LayerNorm<double>({4}), normal<double>({2, 3, 4}, 0, 1, generator));
  checkLayer(LayerNorm<double>({3, 2}, {.axes = {-1, -2}}), normal<double>({2, 3, 2}, 0, 1, generator));
}

TEST_CASE("the gradients of a normalising layer are the central differences, for any shapes and axes") {
  checkLayers([](Random& random, Generator&) {
    const Shape shape = drawShape(random, 1);
    const LayerNorm<double> layer(random.stretching(shape),
                                  {.epsilon = 0.2, .axes = drawAxes(random, shape.rank())});
    return DrawnLayer{layer.weights(), [=](const auto& x) { return asLoss(layer(x)); },
                      random.tensor<double>(shape)};
  });
}
