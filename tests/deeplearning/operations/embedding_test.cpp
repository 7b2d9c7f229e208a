#include <tapestry/deeplearning/operations/embedding.hpp>

#include "deeplearning/operations/support.hpp"
#include "tapestry/deeplearning/gradients.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("embedding gives the rows of a table, in the shape of the indices") {
  const TableWeight table(Table<float>(Tensor<float>({3, 2}, {0, 1, 2, 3, 4, 5})));
  CHECK(valueOf(embedding(table, {2, 0})) == Tensor<float>({2, 2}, {4, 5, 0, 1}));
  CHECK(valueOf(embedding(table, Indices({2, 1}, {1, 1}))) == Tensor<float>({2, 1, 2}, {2, 3, 2, 3}));
  CHECK(valueOf(embedding(table, Indices({}, {1}))) == Tensor<float>({2}, {2, 3}));
  CHECK(*embedding(table, {2, 0}).node()->knownShape() == Shape{2, 2});
}

TEST_CASE("the gradients of embedding are the central differences, also for a row at several places") {
  const DoubleTableWeight table(Table<double>(Tensor<double>({3, 2}, {1, 2, 3, 4, 5, 6})));
  const auto x = embedding(table, {0, 2, 0});
  const auto loss = asLoss(x * x) * asLoss(x);
  const auto exact = gradients(loss).blockingAwait().of(table);
  CHECK(exact.indices() == Indices{0, 2});
  const auto rows = table.data().dense();
  for (const std::size_t row : {0u, 2u})
    for (std::size_t j = 0; j < 2; ++j) {
      const auto lossAt = [&](double shift) {
        auto moved = rows;
        moved.exclusiveData()[2 * row + j] += shift;
        table.setData(Table<double>(moved));
        return valueOf(loss);
      };
      CHECK(exact.rows()(row / 2, j) == doctest::Approx((lossAt(1e-5) - lossAt(-1e-5)) / 2e-5).epsilon(1e-6));
    }
}

TEST_CASE("embedding refuses indices that are out of range, when the expression is built") {
  const TableWeight table(Table<float>(Tensor<float>::zeros({3, 2})));
  CHECK_THROWS_WITH_AS(
      embedding(table, {0, 3}),
      "tapestry::embedding: a row is out of range, got 3 of 3 rows, expected at least 0 and less than that",
      std::out_of_range);
  CHECK_THROWS_AS(embedding(table, {-1}), std::out_of_range);
}
