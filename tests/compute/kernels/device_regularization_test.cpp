#include <tapestry/compute/kernels/device_regularization.hpp>

#include <doctest/doctest.h>

#include <tapestry/compute/kernels/device_kernels.hpp>
#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/dropout_mask.hpp>

#include "support/any_device.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

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
  const auto dropped = DeviceElementwise::multiply(own, mask);
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
