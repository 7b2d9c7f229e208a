#include <tapestry/deeplearning/operations/convolution/conv2d.hpp>

#include <numeric>

#include "deeplearning/operations/binary.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

struct Conv2dCase {
  kernels::Convolution convolution;
  Shape x;
  Shape w;
};

const std::vector<Conv2dCase> conv2dCases{
    {{}, {1, 1, 2, 2}, {1, 1, 1, 1}},
    {{}, {2, 2, 3, 3}, {1, 2, 2, 2}},
    {{.stride = 2, .padding = 1}, {1, 2, 4, 3}, {3, 2, 3, 2}},
    {{.stride = {1, 2}, .padding = {2, 0}, .dilation = {2, 1}}, {1, 1, 3, 4}, {2, 1, 2, 2}},
    {{.padding = 1, .groups = 2}, {1, 4, 2, 2}, {2, 2, 3, 3}},
    {{}, {0, 1, 2, 2}, {1, 1, 2, 2}},
};

Tensor<double> conv2dPixels() {
  auto pixels = Tensor<double>::uninitialized({1, 1, 4, 4});
  std::iota(pixels.exclusiveData(), pixels.exclusiveData() + 16, 0);
  return pixels;
}

}  // namespace

static_assert(std::same_as<decltype(conv2d(Tensor<float>(), Tensor<float>())), Tensor<float>>);
static_assert(
    std::same_as<decltype(conv2d(TensorWeight({}), Tensor<float>(), TensorWeight({}))), TensorLayer>);

TEST_CASE("conv2d adds up the products under a filter, with zeros beyond the image") {
  const auto neighbours = Tensor<double>::full({1, 1, 3, 3}, 1);
  const Tensor<double> sums({1, 1, 4, 4}, {10, 18, 24, 18, 27, 45, 54, 39, 51, 81, 90, 63, 42, 66, 72, 50});
  CHECK(conv2d(conv2dPixels(), neighbours, {.padding = 1}) == sums);
  CHECK(valueOf(conv2d(DoubleTensorWeight(conv2dPixels()), neighbours, {.padding = 1})) == sums);
  CHECK(conv2d(conv2dPixels(), neighbours) == Tensor<double>({1, 1, 2, 2}, {45, 54, 81, 90}));
  CHECK(conv2d(conv2dPixels(), neighbours, {.stride = 3, .padding = 1}) ==
        Tensor<double>({1, 1, 2, 2}, {10, 18, 42, 50}));
}

TEST_CASE("conv2d does not turn its filters around") {
  const Tensor<double> x({1, 1, 1, 3}, {1, 10, 100});
  CHECK(conv2d(x, Tensor<double>({1, 1, 1, 2}, {2, 3})) == Tensor<double>({1, 1, 1, 2}, {32, 320}));
  CHECK(conv2d(x, Tensor<double>({1, 1, 1, 2}, {2, 3}), {.dilation = 2}) ==
        Tensor<double>({1, 1, 1, 1}, {302}));
}

TEST_CASE("conv2d adds the bias to each channel") {
  const Tensor<float> x({2, 1, 1, 1}, {1, 2});
  const Tensor<float> w({2, 1, 1, 1}, {1, 10});
  CHECK(conv2d(x, w, Tensor<float>({2}, {3, 4})) == Tensor<float>({2, 2, 1, 1}, {4, 14, 5, 24}));
}

TEST_CASE("the gradients of conv2d are the central differences") {
  Random random(31);
  for (const auto& [convolution, x, w] : conv2dCases) {
    const auto operation = [&](const auto& a, const auto& b) { return conv2d(a, b, convolution); };
    checkKinds<double>(operation, random.tensor<double>(x), random.tensor<double>(w));
    checkGradients<float>(operation, random.tensor<float>(x, -1, 1), random.tensor<float>(w, -1, 1));
  }
}

TEST_CASE("the gradients of conv2d with a bias are the central differences") {
  Random random(32);
  const auto operation = [](const auto& x, const auto& w, const auto& bias) {
    return conv2d(x, w, bias, {.padding = 1});
  };
  checkGradients(operation, random.tensor<double>({2, 1, 2, 2}), random.tensor<double>({3, 1, 2, 2}),
                 random.tensor<double>({3}));
  checkGradients(onDiamond(operation), random.tensor<double>({1, 2, 2, 1}),
                 random.tensor<double>({1, 2, 1, 2}), random.tensor<double>({1}));
}

TEST_CASE("the gradients of conv2d are the central differences, for any shapes, steps and groups") {
  checkDraws([](Random& random) {
    const auto some = [&](std::size_t least, std::size_t choices) { return least + random.below(choices); };
    const kernels::Convolution convolution{.stride = {some(1, 3), some(1, 2)},
                                           .padding = {some(0, 3), some(0, 2)},
                                           .dilation = {some(1, 2), some(1, 3)},
                                           .groups = some(1, 3)};
    const HeightWidth kernel{some(1, 3), some(1, 2)};
    const auto extent = [&](std::size_t window, std::size_t dilation, std::size_t padding) {
      const std::size_t least = dilation * (window - 1) + 1;
      return some(least > 2 * padding ? least - 2 * padding : 0, 3);
    };
    const std::size_t inputs = convolution.groups * some(1, 2);
    const std::size_t outputs = convolution.groups * (random.below(10) == 0 ? 0 : some(1, 2));
    const Shape x{random.below(8) == 0 ? 0 : some(1, 2), inputs,
                  extent(kernel.height, convolution.dilation.height, convolution.padding.height),
                  extent(kernel.width, convolution.dilation.width, convolution.padding.width)};
    const Shape w{outputs, inputs / convolution.groups, kernel.height, kernel.width};
    return DrawnOperation{[=](const Operands& of) -> DoubleTensorLayer {
                            return of.size() == 2 ? conv2d(of[0], of[1], convolution)
                                                  : conv2d(of[0], of[1], of[2], convolution);
                          },
                          random.below(2) == 0
                              ? std::vector{random.tensor<double>(x), random.tensor<double>(w)}
                              : std::vector{random.tensor<double>(x), random.tensor<double>(w),
                                            random.tensor<double>({outputs})}};
  });
}

TEST_CASE("shapes that do not fit are refused by conv2d, as soon as they are known") {
  const auto refused = [](const Shape& x, const Shape& w, const kernels::Convolution& convolution,
                          const std::string& text) {
    const DoubleTensorWeight left(Tensor<double>::full(x, 1));
    const auto right = Tensor<double>::full(w, 1);
    const std::string message = "tapestry::conv2d: " + text;
    CHECK_THROWS_WITH_AS(conv2d(left, right, convolution), message.c_str(), ShapeError);
    CHECK_THROWS_WITH_AS(conv2d(left.data(), right, convolution), message.c_str(), ShapeError);
    CHECK(evaluationError(conv2d(lateLayer(left), right, convolution)) == message);
  };
  refused({1, 2, 2}, {1, 1, 1, 1}, {},
          "not images and filters, got [1, 2, 2] and [1, 1, 1, 1], expected [N, C, H, W] and "
          "[O, C / groups, KH, KW]");
  refused({1, 2, 3, 3}, {1, 3, 1, 1}, {},
          "the channels differ, got [1, 2, 3, 3] and [1, 3, 1, 1], expected [N, C, H, W] and [O, C, KH, KW]");
  refused(
      {1, 2, 3, 3}, {2, 2, 1, 1}, {.groups = 2},
      "the channels differ, got [1, 2, 3, 3] and [2, 2, 1, 1], expected [N, C, H, W] and [O, C / 2, KH, KW]");
  refused(
      {1, 2, 3, 3}, {3, 1, 1, 1}, {.groups = 2},
      "the channels cannot be divided into groups, got [1, 2, 3, 3] and [3, 1, 1, 1], expected numbers of "
      "channels that 2 divides");
  refused({1, 1, 3, 3}, {1, 1, 0, 1}, {},
          "the filters are empty, got [1, 1, 3, 3] and [1, 1, 0, 1], expected KH and KW above 0");
  refused({1, 1, 3, 3}, {1, 1, 2, 2}, {.dilation = {1, 3}},
          "the filters are larger than the images, got [1, 1, 3, 3] and [1, 1, 2, 2], expected "
          "dilation * (KH - 1) < H + 2 * padding, and the same of W");
}

TEST_CASE("a bias that does not fit is refused by conv2d, as soon as it is known") {
  const auto x = Tensor<double>::zeros({1, 1, 2, 2});
  const auto w = Tensor<double>::zeros({3, 1, 1, 1});
  const DoubleTensorWeight bias(Tensor<double>::zeros({1}));
  const char* const message =
      "tapestry::conv2d: the bias does not fit the channels, got [1] for [1, 3, 2, 2], expected [3]";
  CHECK_THROWS_WITH_AS(conv2d(x, w, bias), message, ShapeError);
  CHECK(evaluationError(conv2d(x, w, lateLayer(bias))) == message);
}

TEST_CASE("conv2d refuses steps that do not move") {
  const auto x = Tensor<float>::zeros({1, 1, 2, 2});
  const auto message = [&](const kernels::Convolution& convolution) {
    return errorOf([&] { conv2d(x, x, convolution); });
  };
  CHECK(message({.stride = 0}) == "tapestry::conv2d: stride out of range, got 0, expected 1 .. 2147483647");
  CHECK(message({.dilation = {1, 0}}) ==
        "tapestry::conv2d: dilation out of range, got 0, expected 1 .. 2147483647");
  CHECK(message({.padding = static_cast<std::size_t>(-1)}) ==
        "tapestry::conv2d: padding out of range, got 18446744073709551615, expected 0 .. 2147483647");
  CHECK(message({.groups = 0}) == "tapestry::conv2d: groups out of range, got 0, expected 1 .. 2147483647");
}
