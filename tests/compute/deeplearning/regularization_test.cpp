// Operations of regularization on devices: the host's values and gradients.
#include <doctest/doctest.h>

#include <vector>

#include <tapestry/compute/kernels/device_kernels.hpp>
#include <tapestry/deeplearning.hpp>

#include "support/any_device.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

/// The prediction of a network of one weight, that of training, and the gradient, with one seed.
template <class X>
std::vector<X> regularized(const auto& network, const Weight<X>& w) {
  const auto y = network(w);
  return {predict(y).blockingAwait(), withSeed(5, inMode(Mode::train, predict(y))).blockingAwait(),
          withSeed(5, gradients(sum(y * y))).blockingAwait().of(w)};
}

/// Compares host and device, for a weight of the shape.
void compareRegularized(const Shape& shape, const auto& network) {
  test::Random random(32);
  const auto x = random.tensor<float>(shape);
  const auto expected = regularized<Tensor<float>>(network, Weight<Tensor<float>>(x));
  const auto got = regularized<DeviceTensor<float>>(
      network, Weight<DeviceTensor<float>>(DeviceTensor<float>(testDevice(), x)));
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(isClose(hostOf(got[i]), expected[i], 1e-5));
}

}  // namespace

TEST_CASE("dropout drops on a device what it drops on the host") {
  compareRegularized({50, 21}, [](const auto& w) { return dropout(w, 0.4); });
  compareRegularized({8, 5}, [](const auto& w) { return dropout(tanh(dropout(w, 0.5)), 0.25, 7); });
  compareRegularized({8, 5}, [](const auto& w) { return Dropout{0.3}(w)*2; });
}
