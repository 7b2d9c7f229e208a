#include <tapestry/deeplearning/layers/batch_norm.hpp>

#include "deeplearning/layers/support.hpp"
#include "tapestry/deeplearning/initializers.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"
#include "tapestry/deeplearning/train.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("the layer BatchNorm predicts with the statistics of its training") {
  Generator generator(1);
  const BatchNorm<double> layer(3, 1);
  const auto x = normal<double>({100, 3}, 5, 3, generator);
  CHECK(valueOf(sum(layer(x) * layer(x))) > 1000);
  train(sum(layer(x))).blockingAwait();
  layer.gain.setData(Tensor<double>::full({3}, 1));
  layer.bias.setData(Tensor<double>::zeros({3}));
  const double squares = valueOf(sum(layer(x) * layer(x)));
  CHECK(squares == doctest::Approx(300).epsilon(0.02));
}

TEST_CASE("BatchNorm lists its weights and its statistics, and only the weights count") {
  const BatchNorm<> layer(8);
  CHECK(layer.weights().size() == 4);
  CHECK(layer.weights().elements() == 16);
  layer.weights().setOptimizer(sgd(0.1));
}

TEST_CASE("the gradients of the layer BatchNorm are the central differences, for any shapes") {
  checkLayers([](Random& random, Generator&) {
    const Shape shape = drawFilledShape(random, 2);
    BatchNorm<double> layer(shape[1]);
    layer.epsilon = 0.2;
    const bool trains = shape.size() >= 2 * shape[1] && random.below(3) != 0;
    return DrawnLayer{layer.weights(), [=](const auto& x) { return asLoss(layer(x)); },
                      random.tensor<double>(shape), trains ? Mode::train : Mode::predict};
  });
}
