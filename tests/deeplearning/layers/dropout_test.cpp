#include <tapestry/deeplearning/layers/dropout.hpp>

#include "support/finite_differences.hpp"
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
