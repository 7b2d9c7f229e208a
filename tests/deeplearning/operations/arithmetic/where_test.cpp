#include <tapestry/deeplearning/operations/arithmetic/where.hpp>

#include "deeplearning/operations/binary.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::DoubleTensorWeight;
using tapestry::DoubleWeight;
using tapestry::Shape;
using tapestry::ShapeError;
using tapestry::Tensor;
using tapestry::TensorLayer;
using tapestry::where;

namespace {

template <class C, class A, class B>
using WhereResult = decltype(where(std::declval<C>(), std::declval<A>(), std::declval<B>()));

static_assert(std::same_as<WhereResult<double, double, double>, double>);
static_assert(std::same_as<WhereResult<Tensor<float>, double, double>, Tensor<float>>);
static_assert(std::same_as<WhereResult<double, Tensor<float>, double>, Tensor<float>>);
static_assert(std::same_as<WhereResult<Tensor<float>, tapestry::TensorWeight, double>, TensorLayer>);
static_assert(std::same_as<WhereResult<DoubleWeight, double, double>, DoubleLayer>);
static_assert(std::same_as<WhereResult<double, double, DoubleWeight>, DoubleLayer>);
static_assert(std::same_as<WhereResult<Tensor<float>, int, int>, Tensor<float>>);
static_assert(std::same_as<WhereResult<DoubleTensorWeight, int, unsigned>, DoubleTensorLayer>);

// Zeros and ones that take turns.
Tensor<double> conditionOf(const Shape& shape) {
  auto result = Tensor<double>::zeros(shape);
  double value = 0;
  for (double& element : elementsOf(result)) value = 1 - (element = value);
  return result;
}

}  // namespace

TEST_CASE("where chooses between scalars, tensors and both, and broadcasts") {
  const Tensor<double> condition({2, 2}, {1, 0, 0, 1});
  const Tensor<double> x({2, 2}, {1, 2, 3, 4});
  const Tensor<double> row({2}, {-5, -6});
  CHECK(where(1.0, 2.0, 3.0) == 2);
  CHECK(where(0.0, 2.0, 3.0) == 3);
  CHECK(valueOf(where(DoubleLayer(0), 2.0, DoubleLayer(3))) == 3);
  CHECK(where(condition, x, row) == Tensor<double>({2, 2}, {1, -6, -5, 4}));
  CHECK(valueOf(where(condition, DoubleTensorLayer(x), row)) == Tensor<double>({2, 2}, {1, -6, -5, 4}));
  CHECK(valueOf(where(condition, 7.0, DoubleTensorLayer(x))) == Tensor<double>({2, 2}, {7, 2, 3, 7}));
  CHECK(where(Tensor<double>({2, 1}, {1, 0}), row, 9.0) == Tensor<double>({2, 2}, {-5, -6, 9, 9}));
  CHECK(where(0.0, x, row) == Tensor<double>({2, 2}, {-5, -6, -5, -6}));
}

TEST_CASE("where chooses between two whole numbers as between numbers of the condition's element type") {
  const Tensor<double> condition({3}, {2, 0, -1});
  CHECK(where(condition, 1, 0) == where(condition, 1.0, 0.0));
  CHECK(where(condition, -3, 4U) == Tensor<double>({3}, {-3, 4, -3}));
  CHECK(valueOf(where(DoubleLayer(0), 1, 7)) == 7);
}

TEST_CASE("the operand that where does not choose may be NaN or infinite") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const DoubleTensorWeight x(Tensor<double>({2}, {nan, 1}));
  const DoubleTensorWeight y(Tensor<double>({2}, {2, infinity}));
  const auto layer = where(Tensor<double>({2}, {0, 1}), x, y);
  CHECK(valueOf(layer) == Tensor<double>({2}, {2, 1}));
  const auto exact = gradients(layer).blockingAwait();
  CHECK(exact.of(x) == Tensor<double>({2}, {0, 1}));
  CHECK(exact.of(y) == Tensor<double>({2}, {1, 0}));
}

TEST_CASE("the gradients of where are the central differences") {
  Random random(14);
  for (const Shape& shape : {Shape{}, Shape{3}, Shape{2, 1}, Shape{2, 3}}) {
    const auto condition = conditionOf(shape);
    const auto choice = [&](const auto& x, const auto& y) { return where(condition, x, y); };
    checkKinds<double>(choice, random.tensor<double>({2, 3}), random.tensor<double>({2, 3}));
    checkKinds<double>(choice, random.tensor<double>({3}), random.tensor<double>({2, 1}));
    checkKinds<double>(choice, 0.5, random.tensor<double>({2, 3}));
    checkKinds<double>(choice, random.tensor<double>({2, 3}), 0.5);
  }
}

TEST_CASE("the gradients of where are the central differences if the condition is a scalar") {
  for (const double condition : {0.0, 1.0}) {
    const auto choice = [=](const auto& x, const auto& y) { return where(condition, x, y); };
    checkBinary<double, double>(choice);
    checkBinary<Tensor<double>, Tensor<double>>(choice);
    checkBinary<Tensor<float>, double>(choice);
  }
}

TEST_CASE("no delta reaches the condition of where") {
  const DoubleTensorWeight condition(Tensor<double>({2, 1}, {0, 1}));
  const DoubleWeight scalar(1);
  const DoubleTensorWeight x(Tensor<double>({2}, {1, 2}));
  const auto exact = gradients(where(condition, x, 3.0) + where(scalar, x, 4.0)).blockingAwait();
  CHECK(exact.of(condition) == Tensor<double>::zeros({2, 1}));
  CHECK(exact.of(scalar) == 0);
  CHECK(exact.of(x) == Tensor<double>({2}, {3, 3}));
}

TEST_CASE("shapes that do not broadcast are refused by where, as soon as they are known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2, 3}));
  const auto y = Tensor<double>::full({2}, 1);
  const char* const message =
      "tapestry::where: shapes do not broadcast, got [2, 3] and [2], expected extents that are equal or 1, "
      "aligned at the last axis";
  CHECK_THROWS_WITH_AS(where(1.0, x, y), message, ShapeError);
  CHECK_THROWS_WITH_AS(where(1.0, x.data(), y), message, ShapeError);
  CHECK_THROWS_WITH_AS(where(x, y, 1.0), message, ShapeError);
  CHECK_THROWS_WITH_AS(where(x, 1.0, y), message, ShapeError);
  CHECK(evaluationError(where(1.0, lateLayer(x), y)) == message);
  CHECK(evaluationError(where(lateLayer(x), y, 1.0)) == message);
  CHECK(evaluationError(where(x, 1.0, lateLayer(y))) == message);
}
