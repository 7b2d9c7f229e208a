#include <tapestry/deeplearning/operations/convolution/avg_pool2d.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"
#include "support/networks/drawn_pooling.hpp"

using namespace tapestry;
using namespace tapestry::test;

static_assert(std::same_as<decltype(avgPool2d(Tensor<float>(), {2})), Tensor<float>>);
static_assert(std::same_as<decltype(avgPool2d(TensorWeight({}), {2})), TensorLayer>);

TEST_CASE("avgPool2d is the mean of each window") {
  const Tensor<double> x({1, 1, 2, 4}, {1, 5, 2, 0, 3, 3, -1, -3});
  CHECK(avgPool2d(x, {2}) == Tensor<double>({1, 1, 1, 2}, {3, -0.5}));
  CHECK(avgPool2d(x, {.window = {1, 2}, .stride = {1, 1}}) ==
        Tensor<double>({1, 1, 2, 3}, {3, 3.5, 1, 3, 1, -2}));
  CHECK(valueOf(avgPool2d(DoubleTensorWeight(x), {2})) == Tensor<double>({1, 1, 1, 2}, {3, -0.5}));
}

TEST_CASE("the padding of avgPool2d counts as zeros") {
  const Tensor<double> x({2, 2}, {4, 8, 12, 16});
  CHECK(avgPool2d(x, {.window = 2, .padding = 1}) == Tensor<double>({2, 2}, {1, 2, 3, 4}));
}

TEST_CASE("the gradients of avgPool2d are the central differences") {
  checkShapes([](const auto& x) { return avgPool2d(x, {2}); }, {{1, 1, 4, 4}, {2, 3}, {0, 2, 2}});
  checkShapes(
      [](const auto& x) {
        return avgPool2d(x, {.window = {3, 2}, .stride = {2, 1}, .padding = {1, 0}});
      },
      {{1, 2, 4, 3}, {5, 2}});
}

TEST_CASE("the gradients of avgPool2d are the central differences, for any planes and windows") {
  checkDraws([](Random& random) {
    const auto drawn = DrawnPooling::draw(random);
    return DrawnOperation{[=](const Operands& of) { return avgPool2d(of[0], drawn.pooling); },
                          {random.tensor<double>(drawn.planes)}};
  });
}

TEST_CASE("avgPool2d refuses images that are smaller than its window, and windows of no size") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2, 3}));
  const char* const message =
      "tapestry::avgPool2d: the window is larger than the planes, got 1 x 6 for [2, 3] with a padding of 0 x "
      "1, "
      "expected a window of at most H + 2 * padding, and the same of W";
  CHECK_THROWS_WITH_AS(avgPool2d(x, {.window = {1, 6}, .padding = {0, 1}}), message, ShapeError);
  CHECK(evaluationError(avgPool2d(lateLayer(x), {.window = {1, 6}, .padding = {0, 1}})) == message);
  CHECK_THROWS_AS(avgPool2d(x, {.window = 0}), std::invalid_argument);
}
