#include <tapestry/compute/kernels/device_optimizer.hpp>

#include <doctest/doctest.h>

#include <tapestry/tensor/shape_error.hpp>

#include "support/any_device.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;
using O = DeviceOptimizer;

TEST_CASE_TEMPLATE("the steps are those of the host", T, float, double) {
  test::Random random(17);
  const Shape shape{5, 7};
  const Tensor<T> weight = random.tensor<T>(shape), gradient = random.tensor<T>(shape);
  const Tensor<T> first = random.tensor<T>(shape), second = random.tensor<T>(shape, 0.1, 2);
  const auto own = [](const Tensor<T>& x) { return DeviceTensor<T>(testDevice(), x); };
  const auto close = [](const DeviceTensor<T>& got, const Tensor<T>& expected) {
    return isClose(hostOf(got), expected, tolerance<T>);
  };
  CHECK(close(O::sgdStep(own(weight), own(gradient), T(0.1)), kernels::sgdStep(weight, gradient, T(0.1))));
  const auto momentum = O::momentumStep(own(weight), own(gradient), own(first), T(0.1), T(0.9));
  const auto expectedMomentum = kernels::momentumStep(weight, gradient, first, T(0.1), T(0.9));
  CHECK(close(momentum.weight, expectedMomentum.weight));
  CHECK(close(momentum.velocity, expectedMomentum.velocity));
  const kernels::AdaptiveParameters<T> parameters{T(0.1), T(0.9), T(0.1), T(1e-6)};
  const auto adaptive = O::adaptiveStep(own(weight), own(gradient), own(second), parameters);
  const auto expectedAdaptive = kernels::adaptiveStep(weight, gradient, second, parameters);
  CHECK(close(adaptive.weight, expectedAdaptive.weight));
  CHECK(close(adaptive.squares, expectedAdaptive.squares));
  const kernels::AdamParameters<T> adam{.learningRate = T(0.1), .weightDecay = T(0.01)};
  for (const std::uint64_t t : {1, 2, 1000}) {
    const auto stepped = O::adamStep(own(weight), own(gradient), own(first), own(second), adam, t);
    const auto expected = kernels::adamStep(weight, gradient, first, second, adam, t);
    CHECK(close(stepped.weight, expected.weight));
    CHECK(close(stepped.firstMoment, expected.firstMoment));
    CHECK(close(stepped.secondMoment, expected.secondMoment));
  }
}

TEST_CASE("a step of Adam is one kernel") {
  const Device& device = testDevice();
  const auto filled = [&](float value) {
    return DeviceTensor<float>(device, Tensor<float>::full({10}, value));
  };
  const auto stepped = O::adamStep(filled(1), filled(2), filled(0), filled(0), {}, 1);
  const auto before = device.counts();
  stepped.weight.compute();
  stepped.firstMoment.compute();
  stepped.secondMoment.compute();
  CHECK(device.counts().kernels == before.kernels + 1);
}

TEST_CASE("shapes that differ are refused") {
  const DeviceTensor<float> x(testDevice(), Tensor<float>::full({3}, 1)),
      y(testDevice(), Tensor<float>::full({1}, 1));
  CHECK_THROWS_AS(O::sgdStep(x, y, 0.1F), ShapeError);
  CHECK_THROWS_AS(O::adamStep(x, x, y, x, {}, 1), ShapeError);
}
