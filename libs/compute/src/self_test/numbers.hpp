// Defines the numbers that the self test computes with, and how far results may be from the host's.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>

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

}  // namespace tapestry::detail
