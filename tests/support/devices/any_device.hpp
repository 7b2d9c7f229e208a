// Defines testDevice, the device that the tests use, and what they compare with.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include <tapestry/compute/device.hpp>
#include <tapestry/compute/device_tensor.hpp>
#include <tapestry/tensor/tensor.hpp>

#include "support/listener.hpp"

namespace tapestry::test {

/// `opencl`, or the device that the environment variable TAPESTRY_TEST_DEVICE names.
inline std::string testDeviceName() {
  const char* const name = std::getenv("TAPESTRY_TEST_DEVICE");
  return name != nullptr ? name : "opencl";
}

inline bool testDeviceIsOpen = false;

/// One for all tests, so that each kernel is compiled once; a test compares its counts before and after.
inline const Device& testDevice() {
  static const Device device = Device::open(testDeviceName());
  testDeviceIsOpen = true;
  return device;
}

/// Waits at the end of each test case for what it has enqueued on the device: a process must not end while a
/// compiler, whose library is unloaded then, still runs.
struct FinishTestDevice final : Listener {
  explicit FinishTestDevice(const doctest::ContextOptions&) {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {
    if (testDeviceIsOpen) testDevice().finish().blockingAwait();
  }
};
REGISTER_LISTENER("finish_test_device", 1, FinishTestDevice);

template <class T>
Tensor<T> hostOf(const DeviceTensor<T>& x) {
  return x.toHost().blockingAwait();
}

/// Whether the values are equal, or both NaN, or within a relative error, or an absolute one below 1.
template <class T>
bool isClose(const Tensor<T>& got, const Tensor<T>& expected, double tolerance) {
  if (got.shape() != expected.shape()) return false;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double a = got.data()[i], b = expected.data()[i];
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    if (!(std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b)))) return false;
  }
  return true;
}

template <class T>
inline constexpr double tolerance = std::same_as<T, float> ? 1e-5 : 1e-13;

}  // namespace tapestry::test
