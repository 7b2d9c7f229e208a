// Defines compareWithHost and compareMessages, which run a network, or calls that fail, on the host and on
// the device.
#pragma once

#include <doctest/doctest.h>

#include <concepts>
#include <cstddef>
#include <string>
#include <vector>

#include <tapestry/compute/kernels/device_kernels.hpp>
#include <tapestry/deeplearning.hpp>

#include "support/devices/any_device.hpp"
#include "support/error_text.hpp"

namespace tapestry::test {

/// Makes tensors of the host ones of type X.
template <class X>
struct PlaceOf {
  const Device& device = testDevice();
  X operator()(const Tensor<float>& x) const {
    if constexpr (std::same_as<X, Tensor<float>>)
      return x;
    else
      return X(device, x);
  }
};
template <class X>
X placedAs(const Tensor<float>& x) {
  return PlaceOf<X>()(x);
}

inline Tensor<float> valuesOf(std::floating_point auto x) {
  return Tensor<float>::scalar(static_cast<float>(x));
}
inline Tensor<float> valuesOf(const Tensor<float>& x) { return x; }
inline Tensor<float> valuesOf(const DeviceTensor<float>& x) { return hostOf(x); }

/// The prediction of a network of weights, its value in training, and the gradients of its sum and of the sum
/// of its squares, with one seed, on the host or on the device.
template <class X>
std::vector<Tensor<float>> resultsOf(const auto& network, const std::vector<Tensor<float>>& values) {
  std::vector<Weight<X>> w;
  for (const Tensor<float>& x : values) w.emplace_back(placedAs<X>(x));
  const auto y = network(w);
  std::vector<Tensor<float>> results{valuesOf(predict(y).blockingAwait()),
                                     valuesOf(withSeed(5, inMode(Mode::train, predict(y))).blockingAwait())};
  const auto add = [&](const auto& run) {
    for (const Weight<X>& weight : w) results.push_back(valuesOf(run.of(weight)));
  };
  add(withSeed(5, gradients(sum(y))).blockingAwait());
  add(withSeed(5, gradients(sum(y * y))).blockingAwait());
  return results;
}

/// Checks that a network of weights of these values has the same results on the device.
void compareWithHost(const std::vector<Tensor<float>>& values, const auto& network,
                     double allowed = tolerance<float>) {
  const auto expected = resultsOf<Tensor<float>>(network, values);
  const auto got = resultsOf<DeviceTensor<float>>(network, values);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(isClose(got[i], expected[i], allowed));
  }
}

/// The messages that messages(operands...) makes by errorOf for operands of the host. Checks that they are
/// the same for operands on the device.
std::vector<std::string> compareMessages(const auto& messages, const auto&... operands) {
  const std::vector<std::string> expected = messages(operands...);
  const std::vector<std::string> got = messages(placedAs<DeviceTensor<float>>(operands)...);
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(got[i] == expected[i]);
  }
  return expected;
}

/// The same for calls that all fail.
std::vector<std::string> compareErrors(const auto& messages, const auto&... operands) {
  std::vector<std::string> expected = compareMessages(messages, operands...);
  for (const std::string& message : expected) CHECK(message != "none");
  return expected;
}

}  // namespace tapestry::test
