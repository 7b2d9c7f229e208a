#include <tapestry/deeplearning/operations/layout/embedding.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"
#include "tapestry/deeplearning/gradients.hpp"
#include "tapestry/deeplearning/operations/arithmetic/multiply.hpp"
#include "tapestry/deeplearning/operations/layout/gather.hpp"
#include "tapestry/deeplearning/predict.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

/// Rows of a table, some more than once, in any shape.
Indices drawRows(Random& random, std::size_t rows) {
  const Shape shape = drawShape(random, 0, 3);
  std::vector<std::int64_t> values(shape.size());
  for (std::int64_t& value : values) value = static_cast<std::int64_t>(random.below(rows));
  return Indices(shape, values);
}

}  // namespace

TEST_CASE("embedding gives the rows of a table, in the shape of the indices") {
  const TableWeight table(Table<float>(Tensor<float>({3, 2}, {0, 1, 2, 3, 4, 5})));
  CHECK(valueOf(embedding(table, {2, 0})) == Tensor<float>({2, 2}, {4, 5, 0, 1}));
  CHECK(valueOf(embedding(table, Indices({2, 1}, {1, 1}))) == Tensor<float>({2, 1, 2}, {2, 3, 2, 3}));
  CHECK(valueOf(embedding(table, Indices({}, {1}))) == Tensor<float>({2}, {2, 3}));
  CHECK(*embedding(table, {2, 0}).node()->knownShape() == Shape{2, 2});
}

TEST_CASE("the gradients of embedding are the central differences, also for a row at several places") {
  Random random(42);
  for (int draw = 0; draw < 36; ++draw) {
    const std::size_t rows = 1 + random.below(4);
    const std::size_t width = draw % 9 == 0 ? 0 : 1 + random.below(3);
    const Indices indices = drawRows(random, rows);
    const DoubleTableWeight table(Table<double>(random.tensor<double>({rows, width})));
    const auto x = draw % 2 == 0 ? embedding(table, indices) : lateLayer(embedding(table, indices));
    INFO("draw ", draw, ": ", rows, " rows of ", width, ", result ", toString(valueOf(x).shape()));
    checkTableGradient(asLoss(x * x) * asLoss(x) + asLoss(embedding(table, {0})), table);
  }
}

TEST_CASE("embedding refuses indices that are out of range, when the expression is built") {
  const TableWeight table(Table<float>(Tensor<float>::zeros({3, 2})));
  CHECK_THROWS_WITH_AS(embedding(table, {0, 3}),
                       "tapestry::embedding: a row is out of range, got 3 of 3 rows, expected an index below "
                       "that, or down to minus "
                       "it",
                       std::out_of_range);
  CHECK_THROWS_AS(embedding(table, {-4}), std::out_of_range);
}

TEST_CASE("negative indices of embedding count from the end, as those of gather") {
  const Tensor<float> rows({3, 2}, {1, 2, 3, 4, 5, 6});
  const TableWeight table{Table<float>(rows)};
  const Indices indices{-1, 0, -3, 2};
  const auto layer = embedding(table, indices);
  CHECK(predict(layer).blockingAwait() == gather(rows, indices));
  const TensorWeight dense(rows);
  CHECK(gradients(layer * layer).blockingAwait().denseOf(table) ==
        gradients(gather(dense, indices) * gather(dense, indices)).blockingAwait().of(dense));
}
