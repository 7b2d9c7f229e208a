#include <tapestry/deeplearning/training/accuracy.hpp>

#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

using namespace tapestry;

TEST_CASE("accuracy is the share of rows whose first largest score is that of the label") {
  const Tensor<float> scores({4, 3}, {0, 1, 2, 5, 5, 1, -1, -3, -2, 0, 7, 7});
  const std::vector<std::uint32_t> labels{2, 0, 0, 2};
  CHECK(accuracy(scores, labels) == 0.75);
  CHECK(accuracy(Tensor<double>({1, 2}, {1, 0}), std::vector<std::uint32_t>{1}) == 0);
}

TEST_CASE("a row with a NaN is wrong, for any label") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor<float> scores({2, 2}, {nan, 1, 1, nan});
  CHECK(accuracy(scores, std::vector<std::uint32_t>{0, 1}) == 0);
  CHECK(accuracy(scores, std::vector<std::uint32_t>{1, 0}) == 0);
}

TEST_CASE("accuracy needs a label for each of at least one row") {
  const std::vector<std::uint32_t> one{0};
  CHECK_THROWS_WITH_AS(
      accuracy(Tensor<float>::zeros({2, 3}), one),
      "tapestry::accuracy: scores and labels do not fit each other, got [2, 3] and 1 labels, "
      "expected [examples, classes] and a label for each example",
      ShapeError);
  CHECK_THROWS_AS(accuracy(Tensor<float>::zeros({1}), one), ShapeError);
  CHECK_THROWS_AS(accuracy(Tensor<float>::zeros({0, 3}), std::vector<std::uint32_t>()), ShapeError);
}
