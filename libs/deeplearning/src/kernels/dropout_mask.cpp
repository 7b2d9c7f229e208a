#include <tapestry/deeplearning/kernels/dropout_mask.hpp>

#include <cmath>
#include <cstddef>

namespace tapestry::kernels {

namespace {

/// The finaliser of SplitMix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators"
/// (2014).
constexpr std::uint64_t mix(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}
constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;

}  // namespace

template <class T>
Tensor<T> dropoutMask(const Shape& shape, double rate, std::uint64_t seed, std::uint64_t stream) {
  auto mask = Tensor<T>::uninitialized(shape);
  const T kept = static_cast<T>(1 / (1 - rate));
  const auto threshold = static_cast<std::uint64_t>(std::ceil(std::ldexp(rate, 32)));
  const std::uint64_t key = mix(mix(seed + golden) + stream * golden);
  T* const out = mask.exclusiveData();
  // two draws of 32 bits from each number
  for (std::size_t i = 0; i < mask.size(); i += 2) {
    const std::uint64_t bits = mix(key + (i / 2 + 1) * golden);
    out[i] = static_cast<std::uint32_t>(bits) < threshold ? T(0) : kept;
    if (i + 1 < mask.size()) out[i + 1] = static_cast<std::uint32_t>(bits >> 32) < threshold ? T(0) : kept;
  }
  return mask;
}

template Tensor<float> dropoutMask(const Shape&, double, std::uint64_t, std::uint64_t);
template Tensor<double> dropoutMask(const Shape&, double, std::uint64_t, std::uint64_t);

}  // namespace tapestry::kernels
