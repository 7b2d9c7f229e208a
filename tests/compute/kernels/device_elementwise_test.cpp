#include <tapestry/compute/kernels/device_elementwise.hpp>

#include <doctest/doctest.h>

#include <tapestry/compute/device_error.hpp>
#include <tapestry/compute/kernels/device_kernels.hpp>
#include <tapestry/tensor/kernels/activation.hpp>
#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/dropout_mask.hpp>
#include <tapestry/tensor/kernels/optimizer.hpp>
#include <tapestry/tensor/shape_error.hpp>

#include "support/devices/any_device.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;
using E = DeviceElementwise;

// Each function is compared with the host's in self_test_test.

TEST_CASE_TEMPLATE("operands of random shapes broadcast as on the host", T, float, double) {
  test::Random random(6);
  for (int round = 0; round < 100; ++round) {
    const Shape shape = random.shape();
    const Tensor<T> a = random.tensor<T>(random.stretching(shape)),
                    b = random.tensor<T>(random.stretching(shape));
    const DeviceTensor<T> ownA(testDevice(), a), ownB(testDevice(), b);
    REQUIRE(isClose(hostOf(E::multiply(ownA, E::add(ownB, T(1)))),
                    kernels::multiply(a, kernels::add(b, T(1))), tolerance<T>));
    REQUIRE(isClose(hostOf(E::leakyRelu(E::subtract(T(0.5), ownA), T(0.1))),
                    kernels::leakyRelu(kernels::subtract(T(0.5), a), T(0.1)), tolerance<T>));
  }
}

TEST_CASE("addInto replaces the sum") {
  const DeviceTensor<float> x(testDevice(), Tensor<float>::full({3}, 2));
  DeviceTensor<float> sum = E::multiply(x, 2.0F);
  E::addInto(sum, x);
  CHECK(hostOf(sum) == Tensor<float>::full({3}, 6));
  CHECK(hostOf(x) == Tensor<float>::full({3}, 2));
}

TEST_CASE("a step of Adam is one kernel") {
  const Device& device = testDevice();
  const auto filled = [&](float value) {
    return DeviceTensor<float>(device, Tensor<float>::full({10}, value));
  };
  const auto stepped = kernels::adamStep(filled(1), filled(2), filled(0), filled(0), {}, 1);
  const auto before = device.counts();
  stepped.weight.compute();
  stepped.firstMoment.compute();
  stepped.secondMoment.compute();
  CHECK(device.counts().kernels == before.kernels + 1);
}

TEST_CASE("a step of an optimizer refuses shapes that differ") {
  const DeviceTensor<float> x(testDevice(), Tensor<float>::full({3}, 1)),
      y(testDevice(), Tensor<float>::full({1}, 1));
  CHECK_THROWS_AS(kernels::sgdStep(x, y, 0.1F), ShapeError);
  CHECK_THROWS_AS(kernels::adamStep(x, x, y, x, {}, 1), ShapeError);
}

TEST_CASE_TEMPLATE("the mask of dropout has the host's values, bit for bit", T, float, double) {
  for (const double rate : {0.0, 0.3, 0.5, 0.9, 1 - 1e-12})
    for (const Shape& shape : {Shape{}, Shape{1}, Shape{64}, Shape{7, 3, 5}, Shape{0, 3}, Shape{1001, 20}}) {
      const DeviceTensor<T> x(testDevice(), Tensor<T>::zeros(shape));
      CHECK(hostOf(kernels::dropoutMaskFor(x, rate, 0x123456789abcdefU, 12)) ==
            kernels::dropoutMask<T>(shape, rate, 0x123456789abcdefU, 12));
    }
}

TEST_CASE("a mask is a part of the kernels that use it, also through views") {
  test::Random random(31);
  const Tensor<float> x = random.tensor<float>({6, 10});
  const DeviceTensor<float> own(testDevice(), x);
  testDevice().finish().blockingAwait();
  const auto before = testDevice().counts();
  const auto mask = kernels::dropoutMaskFor(own, 0.5, 3, 4);
  const auto dropped = E::multiply(own, mask);
  const Tensor<float> got = hostOf(dropped);
  CHECK(testDevice().counts().kernels == before.kernels + 1);
  CHECK(testDevice().counts().buffers == before.buffers + 1);
  const auto hostMask = kernels::dropoutMask<float>({6, 10}, 0.5, 3, 4);
  CHECK(got == kernels::multiply(x, hostMask));
  const auto part = hostOf(mask.permute({1, 0}).slice({Slice(2, 5)}));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 6; ++j) CHECK(part.data()[i * 6 + j] == hostMask.data()[j * 10 + i + 2]);
}

TEST_CASE("a constant has no mask, since it has no device") {
  CHECK_THROWS_AS(kernels::dropoutMaskFor(DeviceTensor<float>::zeros({3}), 0.5, 1, 2), DeviceError);
}
