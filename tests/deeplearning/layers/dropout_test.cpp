#include <tapestry/deeplearning/layers/dropout.hpp>

#include "deeplearning/layers/support.hpp"
#include "tapestry/deeplearning/seed.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("the layer Dropout is the operation of its rate and stream, and has no weights") {
  const Dropout layer{.rate = 0.25, .stream = 3};
  const TensorWeight x(Tensor<float>::full({100}, 1));
  const auto [a, b] =
      withSeed(1, inMode(Mode::train, predict(layer(x), dropout(x, 0.25, 3)))).blockingAwait();
  CHECK(a == b);
  CHECK(valueOf(layer(x)) == x.data());
  CHECK(layer.weights().size() == 0);
}

TEST_CASE("the gradients of the layer Dropout are the central differences, for any shapes") {
  checkLayers([](Random& random, Generator&) {
    const Dropout layer{.rate = random.real(0, 0.9)};
    return DrawnLayer{layer.weights(), [=](const auto& x) { return asLoss(layer(x * layer(x))); },
                      random.tensor<double>(drawShape(random)), Mode::train};
  });
}
