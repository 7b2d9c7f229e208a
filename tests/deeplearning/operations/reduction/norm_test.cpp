#include <tapestry/deeplearning/operations/reduction/norm.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("norm is the Euclidean length") {
  const Tensor<double> x({2, 2}, {3, 4, 0, 0});
  CHECK(norm(x, {1}) == Tensor<double>({2}, {5, 0}));
  CHECK(norm(x, {0, 1}, true) == Tensor<double>({1, 1}, {5}));
}

TEST_CASE("the gradients of norm are the central differences, and 0 where it is 0") {
  checkShapes([](const auto& x) { return norm(x, {-1}); }, {{3}, {2, 3}, {2, 1, 1, 2, 1}, {0, 2}},
              {.low = 0.5, .high = 2, .mirrored = true});
  const DoubleTensorWeight zero(Tensor<double>::zeros({2}));
  const auto found = gradientsOf(asLoss(norm(zero, {0})));
  CHECK(found.of(zero) == Tensor<double>::zeros({2}));
}

TEST_CASE("the gradients of norm are the central differences, along any axes") {
  checkReduction(
      [](const auto& x, const auto& axes, bool keepDims) { return tapestry::norm(x, axes, keepDims); });
}

TEST_CASE("norm of all elements is the length of one vector") {
  CHECK(norm(Tensor<double>({2, 2}, {1, 3, -5, 1})) == 6.0);
  checkShapes([](const auto& x) { return norm(x); }, {{3}, {2, 3}},
              {.low = 0.5, .high = 2, .mirrored = true});
}
