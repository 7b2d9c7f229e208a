#include <tapestry/deeplearning/operations/reduction/sum.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/drawn_operation.hpp"
#include "tapestry/deeplearning/operations/arithmetic/negate.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::DoubleTensorWeight;
using tapestry::DoubleWeight;
using tapestry::ShapeError;
using tapestry::Tensor;

static_assert(std::same_as<decltype(tapestry::sum(Tensor<float>())), double>);
static_assert(std::same_as<decltype(tapestry::sum(tapestry::TensorWeight({}))), DoubleLayer>);
static_assert(std::same_as<decltype(tapestry::sum(tapestry::FloatWeight(0))), DoubleLayer>);
static_assert(
    std::same_as<decltype(tapestry::sum(std::vector<tapestry::FloatLayer>())), tapestry::FloatLayer>);
static_assert(std::same_as<decltype(tapestry::sum(std::vector<DoubleTensorWeight>())), DoubleTensorLayer>);

namespace {

constexpr auto sumOf = [](const auto& x) { return tapestry::sum(x); };

/// Of a range that has both operands, the first of them twice.
constexpr auto sumOfRange = [](const auto& a, const auto& b) {
  return tapestry::sum(std::vector{-a, -b, -a});
};

}  // namespace

TEST_CASE("sum adds up all elements") {
  const Tensor<double> x({2, 2}, {1, 2, 3, -4});
  CHECK(tapestry::sum(x) == 2);
  CHECK(tapestry::sum(2.5) == 2.5);
  CHECK(valueOf(tapestry::sum(DoubleTensorLayer(x))) == 2);
  CHECK(valueOf(tapestry::sum(DoubleLayer(2.5))) == 2.5);
  CHECK(valueOf(tapestry::sum(DoubleTensorLayer(Tensor<double>::zeros({2, 0})))) == 0);
}

TEST_CASE("sum adds up a range of layers") {
  const std::vector<DoubleLayer> scalars{1.0, 2.0, 4.5};
  CHECK(valueOf(tapestry::sum(scalars)) == 7.5);
  const std::vector weights{DoubleTensorWeight(Tensor<double>({2}, {1, 2})),
                            DoubleTensorWeight(Tensor<double>({2}, {3, 5}))};
  CHECK(valueOf(tapestry::sum(weights)) == Tensor<double>({2}, {4, 7}));
}

TEST_CASE("the gradients of sum are the central differences") {
  checkUnary<double>(sumOf);
  checkGradients(sumOf, Tensor<double>({2, 3}, {1, 2, 3, 4, 5, 6}));
  checkGradients(onDiamond(sumOf), Tensor<double>({2, 1, 3}, {1, 2, 3, 4, 5, 6}));
  checkGradients([](const auto& x) { return sumOf(lateLayer(x)); }, Tensor<double>({4}, {1, 2, 3, 4}));
  checkGradients(sumOf, Tensor<double>::scalar(3));
  checkGradients<float>(sumOf, Tensor<float>({2, 2}, {1, 2, 3, 4}));
  checkGradients<float>(sumOf, 2.5F);
}

TEST_CASE("the gradients of the sum of a range are the central differences") {
  checkGradients(sumOfRange, 1.5, -2.5);
  checkGradients(sumOfRange, Tensor<double>({2, 2}, {1, 2, 3, 4}), Tensor<double>({2, 2}, {5, 6, 7, 8}));
  checkGradients<float>(sumOfRange, Tensor<float>({2}, {1, 2}), Tensor<float>({2}, {5, 6}));
  checkGradients(onDiamond(sumOfRange), 1.5, -2.5);
  checkGradients(onDiamond(sumOfRange), Tensor<double>({2}, {1, 2}), Tensor<double>({2}, {5, 6}));
  checkGradients([](const auto& a) { return sumOf(std::vector{a, a}); }, 1.5);
}

TEST_CASE("the sum of an empty range is refused") {
  CHECK_THROWS_WITH_AS(tapestry::sum(std::vector<DoubleLayer>()),
                       "tapestry::sum: the range is empty, got 0 layers, expected at least 1",
                       std::invalid_argument);
  CHECK_THROWS_AS(tapestry::sum(std::vector<tapestry::TensorLayer>()), std::invalid_argument);
}

TEST_CASE("the sum of a range needs layers of one shape, and says so as soon as it can know") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2, 3}));
  const DoubleTensorWeight y(Tensor<double>::zeros({3}));
  const char* const message =
      "tapestry::sum: the shapes differ, got [2, 3] and [3], expected layers of one shape";
  CHECK_THROWS_WITH_AS(tapestry::sum(std::vector{x, y}), message, ShapeError);
  CHECK_THROWS_WITH_AS(tapestry::sum(std::vector{lateLayer(x), -x, -y}), message, ShapeError);
  CHECK(evaluationError(tapestry::sum(std::vector{lateLayer(x), -y})) == message);
  CHECK_THROWS_AS(tapestry::sum(std::vector{x, x}) + Tensor<double>::zeros({2}), ShapeError);
}

TEST_CASE("sum along axes leaves them out or keeps them with extent 1") {
  const Tensor<double> x({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(tapestry::sum(x, {0}) == Tensor<double>({3}, {5, 7, 9}));
  CHECK(tapestry::sum(x, {-1}, true) == Tensor<double>({2, 1}, {6, 15}));
  CHECK(valueOf(tapestry::sum(DoubleTensorLayer(x), {0, 1})) == Tensor<double>::scalar(21));
}

TEST_CASE("the gradients of sum along axes are the central differences") {
  checkShapes([](const auto& x) { return tapestry::sum(x, {0}); }, {{3}, {2, 3}, {2, 1, 3}, {0, 2}});
  checkShapes(
      [](const auto& x) {
        return tapestry::sum(x, {-1, 1}, true);
      },
      {{2, 2, 3}, {2, 1, 1, 2, 2}, {2, 0, 2}});
}

TEST_CASE("sum along an axis out of range is refused, as soon as the shape is known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({3}));
  const char* const message =
      "tapestry::sum: axis out of range, got axis 1 of [3], expected different axes in -1 .. 0";
  CHECK_THROWS_WITH_AS(tapestry::sum(x, {1}), message, ShapeError);
  CHECK(evaluationError(tapestry::sum(lateLayer(x), {1})) == message);
}

TEST_CASE("the gradients of sum are the central differences, along any axes") {
  checkReduction(
      [](const auto& x, const auto& axes, bool keepDims) { return tapestry::sum(x, axes, keepDims); });
}
