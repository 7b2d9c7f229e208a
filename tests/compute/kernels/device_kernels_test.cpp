#include <tapestry/compute/kernels/device_kernels.hpp>

#include <doctest/doctest.h>

#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/elementwise.hpp>
#include <tapestry/tensor/kernels/matmul.hpp>
#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/kernels/reduction.hpp>

#include "support/any_device.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

/// The same code for both types.
template <class X>
X normalised(const X& x, const X& w) {
  const X product = kernels::matmul(x, w);
  return kernels::softmax(kernels::tanh(kernels::add(product, 1)), Axes{-1});
}

static_assert(OwnKernels<DeviceTensor<float>> && OwnKernels<DeviceTensor<double>>);

}  // namespace

TEST_CASE("code that calls kernels serves tensors of the host and of devices") {
  const Tensor<float> x(Shape{2, 3}, {1, 2, 3, 4, 5, 6}),
      w(Shape{3, 2}, {0.1F, 0.2F, 0.3F, -0.1F, -0.2F, 0.4F});
  const DeviceTensor<float> ownX(testDevice(), x), ownW(testDevice(), w);
  CHECK(isClose(hostOf(normalised(ownX, ownW)), normalised(x, w), 1e-5));
}
