#include <tapestry/compute/kernels/device_convolution.hpp>

#include <doctest/doctest.h>

#include <tapestry/compute/kernels/device_elementwise.hpp>
#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/shape_error.hpp>

#include "support/devices/any_device.hpp"
#include "support/error_text.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;
using C = DeviceConvolution;
using kernels::Convolution;

namespace {

struct ConvolutionDraw {
  Shape x, w;
  Convolution convolution;

  explicit ConvolutionDraw(test::Random& random) {
    const auto pair = [&](std::size_t least, std::size_t bound) {
      return HeightWidth(least + random.below(bound), least + random.below(bound));
    };
    convolution = {pair(1, 3), pair(0, 3), pair(1, 2), 1 + random.below(3)};
    const HeightWidth filter = pair(1, 3), dilation = convolution.dilation;
    const std::size_t channels = 1 + random.below(2), groups = convolution.groups;
    x = {1 + random.below(4), channels * groups, dilation.height * filter.height + random.below(5),
         dilation.width * filter.width + random.below(5)};
    w = {(1 + random.below(3)) * groups, channels, filter.height, filter.width};
  }
};

/// Compares the convolution and its derivatives with the host's, on the device.
template <class T>
void compareConvolution(const Device& device, const ConvolutionDraw& draw, test::Random& random,
                        double allowed = tolerance<T>) {
  const auto& [shape, filters, convolution] = draw;
  const Tensor<T> x = random.tensor<T>(shape), w = random.tensor<T>(filters);
  const Tensor<T> y = kernels::convolve(x, w, convolution), delta = random.tensor<T>(y.shape());
  const auto on = [&](const Tensor<T>& values) { return DeviceTensor<T>(device, values); };
  CAPTURE(toString(shape));
  CAPTURE(toString(filters));
  REQUIRE(isClose(hostOf(C::convolve(on(x), on(w), convolution)), y, allowed));
  REQUIRE(isClose(hostOf(C::convolveDerivativeLeft(on(delta), shape, on(w), convolution)),
                  kernels::convolveDerivativeLeft(delta, shape, w, convolution), allowed));
  REQUIRE(isClose(hostOf(C::convolveDerivativeRight(on(delta), on(x), filters, convolution)),
                  kernels::convolveDerivativeRight(delta, x, filters, convolution), allowed));
}

}  // namespace

TEST_CASE_TEMPLATE("convolutions of random shapes, strides, paddings, dilations and groups are the host's", T,
                   float, double) {
  test::Random random(51);
  for (int round = 0; round < 25; ++round)
    compareConvolution<T>(testDevice(), ConvolutionDraw(random), random);
}

TEST_CASE("a batch that does not fit into memory is convolved in parts, with the host's results") {
  test::Random random(52);
  const Device device = Device::open(testDeviceName(), {.memoryLimit = 1 << 17});
  ConvolutionDraw draw(random);
  draw.x = {7, 4, 9, 8};
  draw.w = {6, 2, 3, 3};
  draw.convolution = {1, 1, 1, 2};
  compareConvolution<float>(device, draw, random, 2e-5);  // sums of 504 terms, with errors of 6e-6
  // the matrix of one image has 36 * 72 floats, and an eighth of the limit is 4096 floats
  const auto before = device.counts().products;
  const DeviceTensor<float> x(device, Tensor<float>::full(draw.x, 1)),
      w(device, Tensor<float>::full(draw.w, 1));
  C::convolve(x, w, draw.convolution);
  CHECK(device.counts().products == before + 7);
  device.finish().blockingAwait();
}

TEST_CASE("a convolution is one kernel and one product, and so are its derivatives but for the fold") {
  const Device& device = testDevice();
  const Convolution convolution{.padding = 1};
  const DeviceTensor<float> x(device, Tensor<float>::full({3, 2, 5, 5}, 1)),
      w(device, Tensor<float>::full({4, 2, 3, 3}, 1)), delta(device, Tensor<float>::full({3, 4, 5, 5}, 1)),
      bias(device, Tensor<float>::full({4, 1, 1}, 1));
  auto before = device.counts();
  const auto counted = [&](std::uint64_t kernels) {
    const auto after = device.counts();
    CHECK(after.kernels == before.kernels + kernels);
    CHECK(after.products == before.products + 1);
    before = after;
  };
  const DeviceTensor<float> y = C::convolve(x, w, convolution);
  counted(1);
  DeviceElementwise::relu(DeviceElementwise::add(y, bias)).compute();  // reads the product in place
  CHECK(device.counts().kernels == before.kernels + 1);
  before = device.counts();
  C::convolveDerivativeRight(delta, x, w.shape(), convolution);
  counted(2);  // the delta in the order of channels, the matrix
  C::convolveDerivativeLeft(delta, x.shape(), w, convolution);
  counted(2);  // the delta, the fold
}

TEST_CASE("convolutions of nothing, of constants and of shapes that do not fit") {
  const Device& device = testDevice();
  const DeviceTensor<float> w(device, Tensor<float>::full({4, 2, 3, 3}, 1));
  const auto none = DeviceTensor<float>(device, Tensor<float>::zeros({0, 2, 5, 5}));
  CHECK(hostOf(C::convolve(none, w, {})).shape() == Shape{0, 4, 3, 3});
  CHECK(hostOf(C::convolveDerivativeRight(DeviceTensor<float>::zeros({0, 4, 3, 3}), none, w.shape(), {})) ==
        Tensor<float>::zeros({4, 2, 3, 3}));
  CHECK(hostOf(C::convolve(DeviceTensor<float>::full({1, 2, 3, 3}, 2), w, {})) ==
        Tensor<float>::full({1, 4, 1, 1}, 36));
  const DeviceTensor<float> constant = DeviceTensor<float>::full({1, 2, 3, 3}, 2);
  CHECK(errorOf([&] { return C::convolve(constant, constant, {}); }) ==
        "tapestry::conv2d: all operands are constants, expected one of a device");
  const Tensor<float> images = Tensor<float>::zeros({1, 3, 5, 5}),
                      filters = Tensor<float>::zeros({4, 2, 3, 3});
  CHECK(errorOf([&] { return C::convolve(DeviceTensor<float>(device, images), w, {}); }) ==
        errorOf([&] { return kernels::convolve(images, filters, {}); }));
  CHECK_THROWS_AS(C::convolveDerivativeLeft(w, {1, 2, 5, 5}, w, {}), ShapeError);
}
