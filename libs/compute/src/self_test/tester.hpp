// Defines Tester, which notes how far a device's results are from the host's, and the parts of the self test.
#pragma once

#include <concepts>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <tapestry/compute/device_tensor.hpp>
#include <tapestry/compute/self_test.hpp>

#include "self_test/numbers.hpp"

namespace tapestry::detail {

template <class T>
class Tester {
 public:
  static constexpr double tolerance = std::same_as<T, float> ? 1e-5 : 1e-13;

  Tester(const Device& device, std::vector<SelfTestResult>& results) : device_(device), results_(results) {}

  DeviceTensor<T> onDevice(const Tensor<T>& x) const { return DeviceTensor<T>(device_, x); }

  void test(const std::string& name, const std::function<DeviceTensor<T>()>& compute,
            const Tensor<T>& expected, double allowed = tolerance) {
    SelfTestResult result{name + (std::same_as<T, float> ? " of float" : " of double"), 0, allowed, {}};
    try {
      result.error = largestError(compute().toHost().blockingAwait(), expected);
    } catch (const std::exception& error) {
      result.problem = error.what();
    }
    results_.push_back(std::move(result));
  }

  /// Compares a function that takes tensors of either type.
  template <class F, class... Operands>
  void compare(const std::string& name, double allowed, const F& function, const Operands&... operands) {
    test(
        name, [&] { return function(onDevice(operands)...); }, function(operands...), allowed);
  }

 private:
  const Device& device_;
  std::vector<SelfTestResult>& results_;
};

/// The kernels that move elements.
template <class T>
void testLayouts(Tester<T>& tester);
/// Convolutions, poolings, and what normalises or drops elements.
template <class T>
void testConvolutions(Tester<T>& tester);
/// Recorded formulas, and the steps of optimizers.
template <class T>
void testFormulas(Tester<T>& tester);

}  // namespace tapestry::detail
