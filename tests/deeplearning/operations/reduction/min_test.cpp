#include <tapestry/deeplearning/operations/reduction/min.hpp>

#include "deeplearning/operations/binary.hpp"
#include "support/drawn_operation.hpp"

using namespace tapestry::test;
using tapestry::DoubleTensorWeight;
using tapestry::DoubleWeight;
using tapestry::ShapeError;
using tapestry::Tensor;

TEST_CASE("min takes scalars, tensors and both, and passes the delta to both operands") {
  checkBroadcast([](const auto& x, const auto& y) { return tapestry::min(x, y); },
                 {.name = "min",
                  .ofScalars = 4,
                  .withRow = {1, 2, 2, 4},
                  .scalarRight = {1, 2, 2, 2},
                  .scalarLeft = {1, 2, 2, 2}});
}

TEST_CASE("where the operands of min are equal, half of the delta goes to each") {
  const DoubleWeight x(2);
  const DoubleWeight y(2);
  const auto scalars = gradients(min(x, y)).blockingAwait();
  CHECK(scalars.of(x) == 0.5);
  CHECK(scalars.of(y) == 0.5);

  const DoubleTensorWeight a(Tensor<double>({3}, {1, 2, 3}));
  const DoubleTensorWeight b(Tensor<double>({3}, {3, 2, 1}));
  const auto tensors = gradients(min(a, b)).blockingAwait();
  CHECK(tensors.of(a) == Tensor<double>({3}, {1, 0.5, 0}));
  CHECK(tensors.of(b) == Tensor<double>({3}, {0, 0.5, 1}));

  const auto mixed = gradients(min(a, x)).blockingAwait();
  CHECK(mixed.of(a) == Tensor<double>({3}, {1, 0.5, 0}));
  CHECK(mixed.of(x) == 1.5);
}

TEST_CASE("min along axes chooses the smallest") {
  const Tensor<double> x({2, 3}, {1, 5, 3, 4, 2, 6});
  CHECK(tapestry::min(x, {1}) == Tensor<double>({2}, {1, 2}));
  CHECK(tapestry::min(x, {0}, true) == Tensor<double>({1, 3}, {1, 2, 3}));
  CHECK_THROWS_WITH_AS(tapestry::min(Tensor<double>::zeros({0}), {0}),
                       "tapestry::min: nothing to choose from, got [0], expected axes with extents above 0",
                       ShapeError);
}

TEST_CASE("the gradients of min along axes are the central differences") {
  checkShapes([](const auto& x) { return tapestry::min(x, {0}); }, {{3}, {2, 3}, {2, 1, 3}});
  checkShapes(
      [](const auto& x) {
        return tapestry::min(x, {-1, 1}, true);
      },
      {{2, 2, 3}, {2, 1, 1, 2, 2}, {0, 2, 2}});
}

TEST_CASE("elements that are equally small share the delta equally") {
  const DoubleTensorWeight x(Tensor<double>({3}, {1, 2, 1}));
  const auto found = gradientsOf(asLoss(3.0 * tapestry::min(x, {0})));
  const double share = found.of(x)(0);
  CHECK(share != 0);
  CHECK(found.of(x) == Tensor<double>({3}, {share, 0, share}));
}

TEST_CASE("the gradients of min are the central differences, along any axes") {
  checkReduction(
      [](const auto& x, const auto& axes, bool keepDims) { return tapestry::min(x, axes, keepDims); }, false);
}

TEST_CASE("min of all elements is a scalar, and its delta goes to the smallest") {
  const Tensor<double> x({2, 3}, {4, 5, 3, 1, 2, 6});
  CHECK(tapestry::min(x) == 1.0);
  checkShapes([](const auto& each) { return tapestry::min(each); }, {{3}, {2, 3}, {}});
  CHECK_THROWS_AS(tapestry::min(Tensor<double>::zeros({2, 0})), ShapeError);
}
