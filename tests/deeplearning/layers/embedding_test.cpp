#include <tapestry/deeplearning/layers/embedding.hpp>

#include "deeplearning/layers/support.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"
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

TEST_CASE("the gradients of the layer Embedding are the central differences, for any rows and widths") {
  Random random(44);
  Generator generator(44);
  for (int draw = 0; draw < 24; ++draw) {
    const std::size_t rows = 1 + random.below(4);
    const Embedding<double> layer(rows, 1 + random.below(3), generator);
    const Shape shape = drawShape(random, 0, 2);
    std::vector<std::int64_t> indices(shape.size());
    for (std::int64_t& index : indices) index = static_cast<std::int64_t>(random.below(rows));
    INFO("draw ", draw, ", of ", rows, " rows, for indices of shape ", toString(shape));
    const auto x = layer(Indices(shape, indices));
    checkTableGradient(asLoss(x * x) + asLoss(layer({0})), layer.table);
  }
}
