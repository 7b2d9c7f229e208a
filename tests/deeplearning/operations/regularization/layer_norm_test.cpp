#include <tapestry/deeplearning/operations/regularization/layer_norm.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry;
using namespace tapestry::test;

static_assert(std::same_as<decltype(layerNorm(Tensor<float>())), Tensor<float>>);
static_assert(
    std::same_as<decltype(layerNorm(TensorWeight({}), TensorWeight({}), Tensor<float>())), TensorLayer>);

TEST_CASE("layerNorm takes the mean away and divides by the deviation") {
  const Tensor<double> x({2, 2}, {1, 3, -5, 5});
  CHECK(layerNorm(x, {.epsilon = 0}) == Tensor<double>({2, 2}, {-1, 1, -1, 1}));
  CHECK(layerNorm(x, {.epsilon = 3})(0, 0) == -0.5);
  CHECK(layerNorm(x, {.epsilon = 0, .axes = {0}}) == Tensor<double>({2, 2}, {1, -1, -1, 1}));
  CHECK(layerNorm(x, Tensor<double>({2}, {2, 3}), Tensor<double>({2}, {10, 20}), {.epsilon = 0}) ==
        Tensor<double>({2, 2}, {8, 23, 8, 23}));
}

TEST_CASE("layerNorm of equal elements is 0, and so is its derivative") {
  const TensorWeight w(Tensor<float>::full({1, 3}, 1e4F));
  CHECK(valueOf(layerNorm(w)) == Tensor<float>::zeros({1, 3}));
  CHECK(gradients(layerNorm(w)).blockingAwait().of(w) == Tensor<float>::zeros({1, 3}));
}

TEST_CASE("the gradients of layerNorm are the central differences") {
  const auto lastAxis = [](const auto& x) { return layerNorm(x, {.epsilon = 0.5}); };
  checkShapes(lastAxis, {{3}, {2, 3}, {2, 1, 4}, {0, 3}, {2, 0}, {2, 1}});
  checkShapes([](const auto& x) { return layerNorm(x, {.epsilon = 0.5, .axes = {0}}); },
              {{3}, {3, 2}, {2, 2, 2}});
  checkShapes(
      [](const auto& x) {
        return layerNorm(x, {.epsilon = 0.5, .axes = {-1, 0}});
      },
      {{2, 3}, {2, 2, 2}});
}

TEST_CASE("the gradients of layerNorm with a gain and a bias are the central differences") {
  Random random(34);
  const auto operation = [](const auto& x, const auto& gain, const auto& bias) {
    return layerNorm(x, gain, bias);
  };
  checkGradients(operation, random.tensor<double>({2, 3}), random.tensor<double>({3}),
                 random.tensor<double>({3}));
  checkGradients(onDiamond(operation), random.tensor<double>({2, 2, 3}), random.tensor<double>({3}),
                 random.tensor<double>({3}));
}

TEST_CASE("the gradients of layerNorm are the central differences, for any shapes and axes") {
  checkDraws([](Random& random) {
    const Shape shape = drawShape(random, 1);
    const kernels::Standardization how{.epsilon = random.real(0.2, 1),
                                       .axes = drawAxes(random, shape.rank())};
    const auto x = random.tensor<double>(shape);
    if (random.below(2) == 0)
      return DrawnOperation{[=](const Operands& of) { return layerNorm(of[0], how); }, {x}};
    return DrawnOperation{[=](const Operands& of) { return layerNorm(of[0], of[1], of[2], how); },
                          {x, random.tensor<double>(random.stretching(shape)),
                           random.tensor<double>(random.stretching(shape))}};
  });
}

TEST_CASE("layerNorm refuses an axis out of range, as soon as the shape is known, and a negative epsilon") {
  const DoubleTensorWeight x(Tensor<double>::zeros({3}));
  const char* const message =
      "tapestry::layerNorm: axis out of range, got axis 1 of [3], expected different axes in -1 .. 0";
  CHECK_THROWS_WITH_AS(layerNorm(x, {.axes = {1}}), message, ShapeError);
  CHECK(evaluationError(layerNorm(lateLayer(x), {.axes = {1}})) == message);
  CHECK_THROWS_WITH_AS(layerNorm(x, {.epsilon = -1}),
                       "tapestry::layerNorm: epsilon out of range, got -1, expected at least 0",
                       std::invalid_argument);
}
