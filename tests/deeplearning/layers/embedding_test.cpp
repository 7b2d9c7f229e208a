#include <tapestry/deeplearning/layers/embedding.hpp>

#include "support/finite_differences.hpp"
#include "tapestry/deeplearning/operations/sum.hpp"
#include "tapestry/deeplearning/train.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("the layer Embedding learns a row for each index") {
  Generator generator(1);
  const Embedding<> layer(4, 3, generator);
  layer.weights().setOptimizer(sgd(1));
  const auto before = layer.table.data().dense();
  train(sum(layer({2}))).blockingAwait();
  auto expected = before;
  for (std::size_t j = 0; j < 3; ++j) expected.exclusiveData()[6 + j] -= 1;
  CHECK(layer.table.data().dense() == expected);
  CHECK(layer.weights().elements() == 12);
}
