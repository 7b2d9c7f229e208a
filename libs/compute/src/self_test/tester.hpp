// Defines Tester, which notes how far a device's results are from the host's, and the parts of the self test.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <tapestry/compute/device_tensor.hpp>
#include <tapestry/compute/self_test.hpp>
#include <tapestry/tensor/split_mix.hpp>
#include <tapestry/tensor/tensor.hpp>

namespace tapestry::detail {

/// Relative to the larger of 1 and the expected value; infinite where only one of them is NaN.
inline double errorOf(double got, double expected) {
  if (got == expected || (std::isnan(got) && std::isnan(expected))) return 0;
  const double error = std::abs(got - expected) / std::max(1.0, std::abs(expected));
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

template <class T>
double largestError(const Tensor<T>& got, const Tensor<T>& expected) {
  if (got.shape() != expected.shape()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    largest = std::max(largest, errorOf(got.data()[i], expected.data()[i]));
  return largest;
}

/// Numbers between -3 and 3.
template <class T>
Tensor<T> numbers(const Shape& shape, std::uint64_t seed) {
  auto x = Tensor<T>::uninitialized(shape);
  T* const data = x.exclusiveData();
  for (std::size_t i = 0; i < x.size(); ++i)
    data[i] = static_cast<T>(static_cast<double>(splitMix(seed, i) >> 11) / 0x1p53 * 6 - 3);
  return x;
}

/// The same, but for some zeros, infinities and NaN.
template <class T>
Tensor<T> specialNumbers(const Shape& shape, std::uint64_t seed) {
  Tensor<T> x = numbers<T>(shape, seed);
  T* const data = x.exclusiveData();
  constexpr T infinity = std::numeric_limits<T>::infinity();
  const T specials[] = {0, infinity, -infinity, std::numeric_limits<T>::quiet_NaN(), T(-0.0), 1, 2, -1};
  for (std::size_t i = 0; i < x.size(); i += 3)
    data[i] = specials[splitMix(seed + 1, i) % std::size(specials)];
  return x;
}

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

  /// Compares a function of a tuple of tensors, which takes tensors of either type.
  template <class F, class Operands>
  void compare(const std::string& name, double allowed, const Operands& operands, const F& function) {
    const auto ofDevice = [&](const auto&... x) { return function(onDevice(x)...); };
    test(
        name, [&] { return std::apply(ofDevice, operands); }, std::apply(function, operands), allowed);
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
