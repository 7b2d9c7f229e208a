#include <tapestry/deeplearning/operations/reduction/max.hpp>

#include "deeplearning/operations/binary.hpp"
#include "support/drawn_operation.hpp"

using namespace tapestry::test;
using tapestry::DoubleTensorWeight;
using tapestry::DoubleWeight;
using tapestry::ShapeError;
using tapestry::Tensor;

TEST_CASE("max takes scalars, tensors and both, and passes the delta to both operands") {
  checkBroadcast([](const auto& x, const auto& y) { return tapestry::max(x, y); },
                 {.name = "max",
                  .ofScalars = 6,
                  .withRow = {2, 4, 3, 4},
                  .scalarRight = {2, 2, 3, 4},
                  .scalarLeft = {2, 2, 3, 4}});
}

TEST_CASE("where the operands of max are equal, half of the delta goes to each") {
  const DoubleWeight x(2);
  const DoubleWeight y(2);
  const auto scalars = gradients(max(x, y)).blockingAwait();
  CHECK(scalars.of(x) == 0.5);
  CHECK(scalars.of(y) == 0.5);

  const DoubleTensorWeight a(Tensor<double>({3}, {1, 2, 3}));
  const DoubleTensorWeight b(Tensor<double>({3}, {3, 2, 1}));
  const auto tensors = gradients(max(a, b)).blockingAwait();
  CHECK(tensors.of(a) == Tensor<double>({3}, {0, 0.5, 1}));
  CHECK(tensors.of(b) == Tensor<double>({3}, {1, 0.5, 0}));

  const auto mixed = gradients(max(a, x)).blockingAwait();
  CHECK(mixed.of(a) == Tensor<double>({3}, {0, 0.5, 1}));
  CHECK(mixed.of(x) == 1.5);
}

TEST_CASE("max along axes chooses the largest") {
  const Tensor<double> x({2, 3}, {1, 5, 3, 4, 2, 6});
  CHECK(tapestry::max(x, {1}) == Tensor<double>({2}, {5, 6}));
  CHECK(tapestry::max(x, {0}, true) == Tensor<double>({1, 3}, {4, 5, 6}));
  CHECK(std::isnan(tapestry::max(Tensor<double>({2}, {NAN, 1}), {0}).item()));
}

TEST_CASE("the gradients of max along axes are the central differences") {
  checkShapes([](const auto& x) { return tapestry::max(x, {0}); }, {{3}, {2, 3}, {2, 1, 3}});
  checkShapes(
      [](const auto& x) {
        return tapestry::max(x, {-1, 1}, true);
      },
      {{2, 2, 3}, {2, 1, 1, 2, 2}, {0, 2, 2}});
}

TEST_CASE("elements that are equally large share the delta equally") {
  const DoubleTensorWeight x(Tensor<double>({4}, {2, 1, 2, 2}));
  const auto found = gradientsOf(asLoss(3.0 * tapestry::max(x, {0})));
  const double share = found.of(x)(0);
  CHECK(share != 0);
  CHECK(found.of(x) == Tensor<double>({4}, {share, 0, share, share}));
}

TEST_CASE("max of nothing is refused") {
  const Tensor<double> none = Tensor<double>::zeros({2, 0});
  CHECK_THROWS_WITH_AS(
      tapestry::max(none, {1}),
      "tapestry::max: nothing to choose from, got [2, 0], expected axes with extents above 0", ShapeError);
  CHECK(tapestry::max(none, {0}).shape() == tapestry::Shape{0});
}

TEST_CASE("the gradients of max are the central differences, along any axes") {
  checkReduction(
      [](const auto& x, const auto& axes, bool keepDims) { return tapestry::max(x, axes, keepDims); }, false);
}

TEST_CASE("max of all elements is a scalar, and its delta goes to the largest") {
  const Tensor<double> x({2, 3}, {1, 5, 3, 4, 2, 6});
  CHECK(tapestry::max(x) == 6.0);
  CHECK(tapestry::max(Tensor<float>({}, {-2})) == -2.0);
  checkShapes([](const auto& each) { return tapestry::max(each); }, {{3}, {2, 3}, {}});
  CHECK_THROWS_AS(tapestry::max(Tensor<double>::zeros({2, 0})), ShapeError);
}
