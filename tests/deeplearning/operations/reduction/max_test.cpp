#include <tapestry/deeplearning/operations/reduction/max.hpp>

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

constexpr auto maxOf = [](const auto& x, const auto& y) { return tapestry::max(x, y); };

static_assert(hasBinaryTypes<decltype(maxOf)>());

}  // namespace

TEST_CASE("max works on scalars, tensors and both") {
  const Tensor<double> x({2, 2}, {1, 2, 3, 4});
  const Tensor<double> row({2}, {2, 4});
  CHECK(valueOf(maxOf(DoubleLayer(6), 4.0)) == 6);
  CHECK(maxOf(x, row) == Tensor<double>({2, 2}, {2, 4, 3, 4}));
  CHECK(valueOf(maxOf(DoubleTensorLayer(x), row)) == Tensor<double>({2, 2}, {2, 4, 3, 4}));
  CHECK(valueOf(maxOf(x, DoubleLayer(2))) == Tensor<double>({2, 2}, {2, 2, 3, 4}));
  CHECK(valueOf(maxOf(2.0, DoubleTensorLayer(x))) == Tensor<double>({2, 2}, {2, 2, 3, 4}));
}

TEST_CASE("the gradients of max are the central differences") {
  checkBinary<double, double>(maxOf);
  checkBinary<Tensor<double>, Tensor<double>>(maxOf);
}

TEST_CASE("the gradients of max are the central differences where a scalar meets a tensor") {
  checkBinary<double, Tensor<double>>(maxOf);
  checkBinary<Tensor<double>, double>(maxOf);
}

TEST_CASE("the gradients of max are the central differences in single precision") {
  checkBinary<float, double>(maxOf);
  checkBinary<Tensor<float>, Tensor<float>>(maxOf);
  checkBinary<double, Tensor<float>>(maxOf);
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

TEST_CASE("shapes that do not broadcast are refused by max, as soon as they are known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2, 3}));
  const auto y = Tensor<double>::full({2}, 1);
  const char* const message =
      "tapestry::max: shapes do not broadcast, got [2, 3] and [2], expected extents that are equal or 1, "
      "aligned at "
      "the last axis";
  CHECK_THROWS_WITH_AS(maxOf(x, y), message, ShapeError);
  CHECK_THROWS_WITH_AS(maxOf(x.data(), y), message, ShapeError);
  CHECK(evaluationError(maxOf(lateLayer(x), y)) == message);
  CHECK(evaluationError(maxOf(x, lateLayer(y))) == message);
  CHECK(x.data() == Tensor<double>::zeros({2, 3}));
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
  const tapestry::DoubleTensorWeight x(Tensor<double>({4}, {2, 1, 2, 2}));
  const auto found = gradientsOf(asLoss(3.0 * tapestry::max(x, {0})));
  const double share = found.of(x)(0);
  CHECK(share != 0);
  CHECK(found.of(x) == Tensor<double>({4}, {share, 0, share, share}));
}

TEST_CASE("max of nothing is refused") {
  const Tensor<double> none = Tensor<double>::zeros({2, 0});
  CHECK_THROWS_WITH_AS(
      tapestry::max(none, {1}),
      "tapestry::max: nothing to choose from, got [2, 0], expected axes with extents above 0",
      tapestry::ShapeError);
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
