#include <tapestry/compute/kernels/device_elementwise.hpp>

#include <doctest/doctest.h>

#include <tapestry/tensor/kernels/activation.hpp>
#include <tapestry/tensor/kernels/arithmetic.hpp>

#include "support/any_device.hpp"
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
  DeviceTensor<float> sum = E::scale(x, 2.0F);
  E::addInto(sum, x);
  CHECK(hostOf(sum) == Tensor<float>::full({3}, 6));
  CHECK(hostOf(x) == Tensor<float>::full({3}, 2));
}
