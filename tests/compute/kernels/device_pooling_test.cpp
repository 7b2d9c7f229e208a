#include <tapestry/compute/kernels/device_pooling.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include <tapestry/tensor/shape_error.hpp>

#include "support/devices/any_device.hpp"
#include "support/error_text.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;
using P = DevicePooling;
using kernels::Pooling;

namespace {

template <class T>
void comparePooling(const Tensor<T>& x, const Pooling& pooling, test::Random& random) {
  const Tensor<T> largest = kernels::maxPool(x, pooling), delta = random.tensor<T>(largest.shape());
  const DeviceTensor<T> own(testDevice(), x), ownDelta(testDevice(), delta);
  CAPTURE(toString(x.shape()));
  REQUIRE(isClose(hostOf(P::maxPool(own, pooling)), largest, 0));
  REQUIRE(isClose(hostOf(P::maxPoolDerivative(ownDelta, own, pooling)),
                  kernels::maxPoolDerivative(delta, x, pooling), tolerance<T>));
  REQUIRE(isClose(hostOf(P::avgPool(own, pooling)), kernels::avgPool(x, pooling), tolerance<T>));
  REQUIRE(isClose(hostOf(P::avgPoolDerivative(ownDelta, x.shape(), pooling)),
                  kernels::avgPoolDerivative(delta, x.shape(), pooling), tolerance<T>));
}

}  // namespace

TEST_CASE_TEMPLATE("poolings of random shapes, windows, strides and paddings are the host's", T, float,
                   double) {
  test::Random random(61);
  for (int round = 0; round < 25; ++round) {
    const HeightWidth window(1 + random.below(4), 1 + random.below(4));
    const Pooling pooling{window, HeightWidth(random.below(4), random.below(4)),
                          HeightWidth(random.below(window.height), random.below(window.width))};
    std::vector<std::size_t> extents(random.below(3));
    for (std::size_t& extent : extents) extent = 1 + random.below(4);
    extents.push_back(window.height + random.below(6));
    extents.push_back(window.width + random.below(6));
    // equal elements, which share the delta
    comparePooling(random.integers<T>(Shape(extents)), pooling, random);
    comparePooling(random.tensor<T>(Shape(extents)), pooling, random);
  }
}

TEST_CASE("NaN is the maximum of its windows, and infinities are elements as others") {
  test::Random random(62);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  Tensor<float> x = random.integers<float>({2, 6, 6});
  for (std::size_t i = 0; i < x.size(); i += 7)
    x.exclusiveData()[i] = i % 3 == 0 ? std::numeric_limits<float>::quiet_NaN() : -infinity;
  comparePooling(x, {.window = 2, .stride = 1}, random);
  comparePooling(Tensor<float>::full({4, 4}, -infinity), {.window = 2}, random);
}

TEST_CASE("a pooling is one kernel, the derivative of a maximum two") {
  const Device& device = testDevice();
  const DeviceTensor<float> x(device, Tensor<float>::full({3, 4, 4}, 1)),
      delta(device, Tensor<float>::full({3, 2, 2}, 1));
  const auto before = device.counts().kernels;
  P::maxPool(x, {.window = 2});
  P::avgPool(x, {.window = 2});
  P::avgPoolDerivative(delta, x.shape(), {.window = 2});
  CHECK(device.counts().kernels == before + 3);
  P::maxPoolDerivative(delta, x, {.window = 2});
  CHECK(device.counts().kernels == before + 5);
}

TEST_CASE("poolings of nothing, of constants and of shapes that do not fit") {
  const DeviceTensor<float> none(testDevice(), Tensor<float>::zeros({0, 4, 4}));
  CHECK(hostOf(P::maxPool(none, {.window = 2})).shape() == Shape{0, 2, 2});
  CHECK(hostOf(P::avgPoolDerivative(DeviceTensor<float>(testDevice(), Tensor<float>::zeros({0, 2, 2})),
                                    none.shape(), {.window = 2})) == Tensor<float>::zeros({0, 4, 4}));
  CHECK(errorOf([&] {
          return P::avgPool(DeviceTensor<float>::zeros({4, 4}), {.window = 2});
        }) == "tapestry::avgPool2d: all operands are constants, expected one of a device");
  const auto small = Tensor<float>::zeros({2, 2});
  CHECK(errorOf([&] { return P::maxPool(DeviceTensor<float>(testDevice(), small), {.window = 3}); }) ==
        errorOf([&] { return kernels::maxPool(small, {.window = 3}); }));
  CHECK_THROWS_AS(P::maxPoolDerivative(none, none, {.window = 2}), ShapeError);
}
