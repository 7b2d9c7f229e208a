#include <tapestry/deeplearning/operations/reduction/mean.hpp>

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

static_assert(std::same_as<decltype(tapestry::mean(Tensor<float>())), double>);
static_assert(std::same_as<decltype(tapestry::mean(tapestry::TensorWeight({}))), DoubleLayer>);
static_assert(std::same_as<decltype(tapestry::mean(tapestry::FloatWeight(0))), DoubleLayer>);
static_assert(
    std::same_as<decltype(tapestry::mean(std::vector<tapestry::FloatLayer>())), tapestry::FloatLayer>);
static_assert(std::same_as<decltype(tapestry::mean(std::vector<DoubleTensorWeight>())), DoubleTensorLayer>);

namespace {

constexpr auto meanOf = [](const auto& x) { return tapestry::mean(x); };

/// Of a range that has both operands, the first of them twice.
constexpr auto meanOfRange = [](const auto& a, const auto& b) {
  return tapestry::mean(std::vector{-a, -b, -a});
};

}  // namespace

TEST_CASE("mean is the sum of all elements divided by their number") {
  const Tensor<double> x({2, 2}, {1, 2, 3, -4});
  CHECK(tapestry::mean(x) == 0.5);
  CHECK(tapestry::mean(2.5) == 2.5);
  CHECK(valueOf(tapestry::mean(DoubleTensorLayer(x))) == 0.5);
  CHECK(valueOf(tapestry::mean(DoubleLayer(2.5))) == 2.5);
  CHECK(std::isnan(valueOf(tapestry::mean(DoubleTensorLayer(Tensor<double>::zeros({2, 0}))))));
}

TEST_CASE("mean averages a range of layers") {
  const std::vector<DoubleLayer> scalars{1.0, 2.0, 4.5};
  CHECK(valueOf(tapestry::mean(scalars)) == 2.5);
  const std::vector weights{DoubleTensorWeight(Tensor<double>({2}, {1, 2})),
                            DoubleTensorWeight(Tensor<double>({2}, {3, 5}))};
  CHECK(valueOf(tapestry::mean(weights)) == Tensor<double>({2}, {2, 3.5}));
}

TEST_CASE("the gradients of mean are the central differences") {
  checkUnary<double>(meanOf);
  checkGradients(meanOf, Tensor<double>({2, 3}, {1, 2, 3, 4, 5, 6}));
  checkGradients(onDiamond(meanOf), Tensor<double>({2, 1, 3}, {1, 2, 3, 4, 5, 6}));
  checkGradients([](const auto& x) { return meanOf(lateLayer(x)); }, Tensor<double>({4}, {1, 2, 3, 4}));
  checkGradients(meanOf, Tensor<double>::scalar(3));
  checkGradients<float>(meanOf, Tensor<float>({2, 2}, {1, 2, 3, 4}));
  checkGradients<float>(meanOf, 2.5F);
}

TEST_CASE("the gradients of the mean of a range are the central differences") {
  checkGradients(meanOfRange, 1.5, -2.5);
  checkGradients(meanOfRange, Tensor<double>({2, 2}, {1, 2, 3, 4}), Tensor<double>({2, 2}, {5, 6, 7, 8}));
  checkGradients<float>(meanOfRange, Tensor<float>({2}, {1, 2}), Tensor<float>({2}, {5, 6}));
  checkGradients(onDiamond(meanOfRange), 1.5, -2.5);
  checkGradients(onDiamond(meanOfRange), Tensor<double>({2}, {1, 2}), Tensor<double>({2}, {5, 6}));
  checkGradients([](const auto& a) { return meanOf(std::vector{a, a}); }, 1.5);
}

TEST_CASE("the mean of an empty range is refused") {
  CHECK_THROWS_WITH_AS(tapestry::mean(std::vector<DoubleLayer>()),
                       "tapestry::mean: the range is empty, got 0 layers, expected at least 1",
                       std::invalid_argument);
  CHECK_THROWS_AS(tapestry::mean(std::vector<tapestry::TensorLayer>()), std::invalid_argument);
}

TEST_CASE("the mean of a range needs layers of one shape, and says so as soon as it can know") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2, 3}));
  const DoubleTensorWeight y(Tensor<double>::zeros({3}));
  const char* const message =
      "tapestry::mean: the shapes differ, got [2, 3] and [3], expected layers of one shape";
  CHECK_THROWS_WITH_AS(tapestry::mean(std::vector{x, y}), message, ShapeError);
  CHECK_THROWS_WITH_AS(tapestry::mean(std::vector{lateLayer(x), -x, -y}), message, ShapeError);
  CHECK(evaluationError(tapestry::mean(std::vector{lateLayer(x), -y})) == message);
  CHECK_THROWS_AS(tapestry::mean(std::vector{x, x}) + Tensor<double>::zeros({2}), ShapeError);
}

TEST_CASE("mean along axes divides by their size") {
  const Tensor<double> x({2, 2}, {1, 2, 3, 6});
  CHECK(tapestry::mean(x, {0}) == Tensor<double>({2}, {2, 4}));
  CHECK(tapestry::mean(x, {0, 1}, true) == Tensor<double>({1, 1}, {3}));
}

TEST_CASE("the gradients of mean along axes are the central differences") {
  checkShapes([](const auto& x) { return tapestry::mean(x, {0}); }, {{3}, {2, 3}, {2, 1, 3}});
  checkShapes(
      [](const auto& x) {
        return tapestry::mean(x, {-1, 1}, true);
      },
      {{2, 2, 3}, {2, 1, 1, 2, 2}, {0, 2, 2}});
}

TEST_CASE("the gradients of mean are the central differences, along any axes") {
  checkReduction(
      [](const auto& x, const auto& axes, bool keepDims) { return tapestry::mean(x, axes, keepDims); },
      false);
}
