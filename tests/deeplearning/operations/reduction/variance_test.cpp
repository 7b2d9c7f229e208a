#include <tapestry/deeplearning/operations/reduction/variance.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("variance is the mean square of the distance from the mean") {
  const Tensor<double> x({2, 2}, {1, 3, -2, -2});
  CHECK(variance(x, {1}) == Tensor<double>({2}, {1, 0}));
  CHECK(variance(x, {0, 1}, true) == Tensor<double>({1, 1}, {4.5}));
}

TEST_CASE("the gradients of variance are the central differences") {
  checkShapes([](const auto& x) { return variance(x, {-1}); }, {{3}, {2, 3}, {3, 1}});
  checkShapes(
      [](const auto& x) {
        return variance(x, {0, 2}, true);
      },
      {{2, 2, 3}, {2, 1, 2, 1, 2}, {2, 0, 2}});
}

TEST_CASE("the gradients of variance are the central differences, along any axes") {
  checkReduction(
      [](const auto& x, const auto& axes, bool keepDims) { return tapestry::variance(x, axes, keepDims); },
      false);
}

TEST_CASE("variance of all elements is a scalar") {
  CHECK(variance(Tensor<double>({2, 2}, {1, 3, 5, 7})) == 5.0);
  checkShapes([](const auto& x) { return variance(x); }, {{3}, {2, 3}});
}
