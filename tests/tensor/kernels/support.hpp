// Defines what the kernels' tests share: random tensors, plain loops to compare with, and every instruction
// set in turn.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include <hwy/targets.h>

#include <tapestry/tensor/tensor.hpp>

namespace tapestry::test {

/// Runs `body` with the kernels of each instruction set that this machine has.
template <class F>
void onEachInstructionSet(const F& body) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const doctest::String instructionSet = hwy::TargetName(target);
    CAPTURE(instructionSet);
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

/// The same numbers in every run.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  std::size_t below(std::size_t bound) { return engine_() % bound; }
  double real(double from, double to) { return std::uniform_real_distribution<double>(from, to)(engine_); }

  /// A shape of rank 0 to 5, with extents of 0 (rarely), of 1 (often) and up to 11.
  Shape shape() {
    std::vector<std::size_t> extents(below(6));
    for (std::size_t& extent : extents) extent = below(25) == 0 ? 0 : below(3) == 0 ? 1 : 1 + below(11);
    return Shape(extents);
  }

  /// A shape that broadcasts to `shape`: leading axes are missing and extents are 1, at random.
  Shape stretching(const Shape& shape) {
    std::vector<std::size_t> extents(shape.begin() + below(shape.rank() + 1), shape.end());
    for (std::size_t& extent : extents)
      if (below(3) == 0) extent = 1;
    return Shape(extents);
  }

  template <class T>
  Tensor<T> tensor(const Shape& shape, double from = -2, double to = 2) {
    auto result = Tensor<T>::uninitialized(shape);
    for (T& value : std::span(result.exclusiveData(), result.size())) value = static_cast<T>(real(from, to));
    return result;
  }

  /// Small integers, whose sums and products are exact in any order.
  template <class T>
  Tensor<T> integers(const Shape& shape) {
    auto result = Tensor<T>::uninitialized(shape);
    for (T& value : std::span(result.exclusiveData(), result.size())) value = static_cast<T>(below(9)) - 4;
    return result;
  }

 private:
  std::mt19937 engine_;
};

/// Where the element at `index` of a tensor of shape `whole` lies in one of shape `part`, which broadcasts to
/// it.
inline std::size_t broadcastIndex(std::size_t index, const Shape& whole, const Shape& part) {
  std::size_t offset = 0;
  std::size_t stride = 1;
  for (std::size_t i = 1; i <= whole.rank(); ++i) {
    const std::size_t position = index % whole[whole.rank() - i];
    index /= whole[whole.rank() - i];
    if (i > part.rank()) continue;
    const std::size_t extent = part[part.rank() - i];
    if (extent != 1) offset += position * stride;
    stride *= extent;
  }
  return offset;
}

/// Equal, or both NaN, or within `ulps` units in the last place of T.
template <class T>
bool isClose(T got, double expected, double ulps) {
  const double value = static_cast<double>(got);
  const T rounded = static_cast<T>(expected);
  if (std::isnan(expected) || std::isinf(rounded) || got == rounded)
    return std::isnan(expected) ? std::isnan(got) : got == rounded;
  const double unit = std::max(std::abs(expected) * std::numeric_limits<T>::epsilon(),
                               static_cast<double>(std::numeric_limits<T>::denorm_min()));
  return std::abs(value - expected) <= ulps * unit;
}

/// Within `factor` roundings of a value of size `scale`.
template <class T>
bool isNear(T got, double expected, double scale, double factor = 8) {
  return std::abs(static_cast<double>(got) - expected) <= factor * std::numeric_limits<T>::epsilon() * scale;
}

}  // namespace tapestry::test
