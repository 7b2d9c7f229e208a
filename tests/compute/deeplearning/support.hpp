// Defines compareWithHost, which runs a network on the host and on the device.
#pragma once

#include <doctest/doctest.h>

#include <vector>

#include <tapestry/compute/kernels/device_kernels.hpp>
#include <tapestry/deeplearning.hpp>

#include "support/any_device.hpp"

namespace tapestry::test {

/// The prediction of a network of weights, its value in training, and the gradients, with one seed.
template <class X>
std::vector<X> resultsOf(const auto& network, const std::vector<Weight<X>>& w) {
  const auto y = network(w);
  std::vector<X> results{predict(y).blockingAwait(),
                         withSeed(5, inMode(Mode::train, predict(y))).blockingAwait()};
  const auto run = withSeed(5, gradients(sum(y * y))).blockingAwait();
  for (const Weight<X>& weight : w) results.push_back(run.of(weight));
  return results;
}

/// Checks that a network of weights of these values has the same results on the device.
void compareWithHost(const std::vector<Tensor<float>>& values, const auto& network,
                     double allowed = tolerance<float>) {
  std::vector<Weight<Tensor<float>>> onHost;
  std::vector<Weight<DeviceTensor<float>>> onDevice;
  for (const Tensor<float>& x : values) {
    onHost.emplace_back(x);
    onDevice.emplace_back(DeviceTensor<float>(testDevice(), x));
  }
  const auto expected = resultsOf(network, onHost);
  const auto got = resultsOf(network, onDevice);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(isClose(hostOf(got[i]), expected[i], allowed));
  }
}

}  // namespace tapestry::test
