#include <tapestry/deeplearning/operations/convolution/max_pool2d.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"
#include "support/networks/drawn_pooling.hpp"

using namespace tapestry;
using namespace tapestry::test;

static_assert(std::same_as<decltype(maxPool2d(Tensor<float>(), {2})), Tensor<float>>);
static_assert(std::same_as<decltype(maxPool2d(TensorWeight({}), {2})), TensorLayer>);

TEST_CASE("maxPool2d is the largest element of each window") {
  const Tensor<double> x({1, 1, 3, 4}, {1, 5, 2, 0, 3, 4, -1, -2, 9, 0, -3, -4});
  CHECK(maxPool2d(x, {2}) == Tensor<double>({1, 1, 1, 2}, {5, 2}));
  CHECK(maxPool2d(x, {.window = 2, .stride = 1}) == Tensor<double>({1, 1, 2, 3}, {5, 5, 2, 9, 4, -1}));
  CHECK(maxPool2d(x, {.window = {3, 1}}) == Tensor<double>({1, 1, 1, 4}, {9, 5, 2, 0}));
  CHECK(valueOf(maxPool2d(DoubleTensorWeight(x), {2})) == Tensor<double>({1, 1, 1, 2}, {5, 2}));
}

TEST_CASE("the padding of maxPool2d is never the largest") {
  const Tensor<double> x({2, 2}, {-1, -2, -3, -4});
  CHECK(maxPool2d(x, {.window = 2, .padding = 1}) == x);
}

TEST_CASE("NaN comes through maxPool2d, to the windows that see it") {
  const auto y = maxPool2d(Tensor<float>({1, 4}, {NAN, 1, INFINITY, 2}), {.window = {1, 2}});
  CHECK(std::isnan(y(0, 0)));
  CHECK(y(0, 1) == INFINITY);
}

TEST_CASE("elements that are equally large share the delta of maxPool2d") {
  const DoubleTensorWeight w(Tensor<double>({2, 4}, {1, 1, 3, 0, 1, 1, 0, 3}));
  CHECK(gradients(maxPool2d(w, {2})).blockingAwait().of(w) ==
        Tensor<double>({2, 4}, {0.25, 0.25, 0.5, 0, 0.25, 0.25, 0, 0.5}));
}

TEST_CASE("the gradients of maxPool2d are the central differences") {
  Random random(33);
  const auto check = [&](const Shape& shape, const kernels::Pooling& pooling) {
    const auto operation = [&](const auto& x) { return maxPool2d(x, pooling); };
    auto x = Tensor<double>::uninitialized(shape);
    std::vector<double> values(x.size());  // Apart, so that no step changes which is the largest.
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.25 * static_cast<double>(i) - 1;
    std::shuffle(values.begin(), values.end(), std::mt19937(7));
    std::copy(values.begin(), values.end(), x.exclusiveData());
    checkGradients(operation, x);
    checkGradients(onDiamond(operation), x);
    checkGradients([&](const auto& weight) { return operation(lateLayer(weight)); }, x);
  };
  check({1, 1, 4, 4}, {2});
  check({2, 3, 4}, {.window = 2, .stride = 1, .padding = 1});
  check({5, 4}, {.window = {3, 2}, .stride = {2, 1}, .padding = {1, 0}});
  check({0, 4, 4}, {2});
}

TEST_CASE("the gradients of maxPool2d are the central differences, for any planes and windows") {
  checkDraws([](Random& random) {
    const auto drawn = DrawnPooling::draw(random);
    return DrawnOperation{[=](const Operands& of) { return maxPool2d(of[0], drawn.pooling); },
                          {drawApart(random, drawn.planes)}};
  });
}

TEST_CASE("maxPool2d refuses planes that its window does not fit in, as soon as the shape is known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2, 3}));
  const char* const message =
      "tapestry::maxPool2d: the window is larger than the planes, got 4 x 4 for [2, 3] with a padding of 0 x "
      "0, "
      "expected a window of at most H + 2 * padding, and the same of W";
  CHECK_THROWS_WITH_AS(maxPool2d(x, {4}), message, ShapeError);
  CHECK_THROWS_WITH_AS(maxPool2d(x.data(), {4}), message, ShapeError);
  CHECK(evaluationError(maxPool2d(lateLayer(x), {4})) == message);
  CHECK_THROWS_WITH_AS(maxPool2d(Tensor<double>::zeros({3}), {1}),
                       "tapestry::maxPool2d: not planes, got [3], expected [..., H, W]", ShapeError);
  CHECK_THROWS_AS(maxPool2d(Tensor<double>::zeros({0, 3}), {.window = 2, .padding = 1}), ShapeError);
}

TEST_CASE("maxPool2d refuses windows without elements, and paddings that fill them") {
  const auto x = Tensor<float>::zeros({2, 2});
  CHECK(errorOf([&] {
          maxPool2d(x, {.window = {0, 1}});
        }) == "tapestry::maxPool2d: window out of range, got 0 x 1, expected 1 .. 2147483647");
  CHECK(errorOf([&] {
          maxPool2d(x, {.window = 2, .padding = {1, 2}});
        }) ==
        "tapestry::maxPool2d: the padding fills the window, got 1 x 2 for 2 x 2, expected less padding than "
        "window");
  CHECK(errorOf([&] { maxPool2d(x, {.window = 2, .stride = static_cast<std::size_t>(-1)}); }) ==
        "tapestry::maxPool2d: stride out of range, got 18446744073709551615 x 18446744073709551615, expected "
        "0 .. 2147483647");
}
