#include <tapestry/deeplearning/seed.hpp>

#include <doctest/doctest.h>

#include "tapestry/deeplearning/operations/regularization/dropout.hpp"
#include "tapestry/deeplearning/predict.hpp"

using namespace tapestry;

TEST_CASE("withSeed fixes the draws of the passes within it, and the innermost seed counts") {
  const TensorLayer ones(Tensor<float>::full({100}, 1));
  const auto draw = inMode(Mode::train, predict(dropout(ones, 0.5)));
  const auto drawn = withSeed(9, draw).blockingAwait();
  CHECK(withSeed(9, draw).blockingAwait() == drawn);
  CHECK(withSeed(1, withSeed(9, draw)).blockingAwait() == drawn);
  CHECK(withSeed(9, withSeed(1, draw)).blockingAwait() != drawn);
  CHECK(draw.blockingAwait() != draw.blockingAwait());
}
