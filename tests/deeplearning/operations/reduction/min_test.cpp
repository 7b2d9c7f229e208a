#include <tapestry/deeplearning/operations/reduction/min.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/drawn_operation.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::DoubleTensorWeight;
using tapestry::DoubleWeight;
using tapestry::ShapeError;
using tapestry::Tensor;

namespace {

constexpr auto minOf = [](const auto& x, const auto& y) { return tapestry::min(x, y); };

static_assert(hasBinaryTypes<decltype(minOf)>());

}  // namespace

TEST_CASE("min works on scalars, tensors and both") {
  const Tensor<double> x({2, 2}, {1, 2, 3, 4});
  const Tensor<double> row({2}, {2, 4});
  CHECK(valueOf(minOf(DoubleLayer(6), 4.0)) == 4);
  CHECK(minOf(x, row) == Tensor<double>({2, 2}, {1, 2, 2, 4}));
  CHECK(valueOf(minOf(DoubleTensorLayer(x), row)) == Tensor<double>({2, 2}, {1, 2, 2, 4}));
  CHECK(valueOf(minOf(x, DoubleLayer(2))) == Tensor<double>({2, 2}, {1, 2, 2, 2}));
  CHECK(valueOf(minOf(2.0, DoubleTensorLayer(x))) == Tensor<double>({2, 2}, {1, 2, 2, 2}));
}

TEST_CASE("the gradients of min are the central differences") {
  checkBinary<double, double>(minOf);
  checkBinary<Tensor<double>, Tensor<double>>(minOf);
}

TEST_CASE("the gradients of min are the central differences where a scalar meets a tensor") {
  checkBinary<double, Tensor<double>>(minOf);
  checkBinary<Tensor<double>, double>(minOf);
}

TEST_CASE("the gradients of min are the central differences in single precision") {
  checkBinary<float, double>(minOf);
  checkBinary<Tensor<float>, Tensor<float>>(minOf);
  checkBinary<double, Tensor<float>>(minOf);
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

TEST_CASE("shapes that do not broadcast are refused by min, as soon as they are known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2, 3}));
  const auto y = Tensor<double>::full({2}, 1);
  const char* const message =
      "tapestry::min: shapes do not broadcast, got [2, 3] and [2], expected extents that are equal or 1, "
      "aligned at "
      "the last axis";
  CHECK_THROWS_WITH_AS(minOf(x, y), message, ShapeError);
  CHECK_THROWS_WITH_AS(minOf(x.data(), y), message, ShapeError);
  CHECK(evaluationError(minOf(lateLayer(x), y)) == message);
  CHECK(evaluationError(minOf(x, lateLayer(y))) == message);
  CHECK(x.data() == Tensor<double>::zeros({2, 3}));
}

TEST_CASE("min along axes chooses the smallest") {
  const Tensor<double> x({2, 3}, {1, 5, 3, 4, 2, 6});
  CHECK(tapestry::min(x, {1}) == Tensor<double>({2}, {1, 2}));
  CHECK(tapestry::min(x, {0}, true) == Tensor<double>({1, 3}, {1, 2, 3}));
  CHECK_THROWS_WITH_AS(tapestry::min(Tensor<double>::zeros({0}), {0}),
                       "tapestry::min: nothing to choose from, got [0], expected axes with extents above 0",
                       tapestry::ShapeError);
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
  const tapestry::DoubleTensorWeight x(Tensor<double>({3}, {1, 2, 1}));
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
