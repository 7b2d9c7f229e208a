#include <tapestry/tensor/kernels/dropout_mask.hpp>

#include <cmath>
#include <cstddef>

#include "tapestry/tensor/split_mix.hpp"

#pragma GCC visibility push(default)
namespace tapestry::kernels {

DropoutDraws DropoutDraws::of(double rate, std::uint64_t seed, std::uint64_t stream) noexcept {
  return {splitMix(splitMix(seed, 0), stream), static_cast<std::uint64_t>(std::ceil(std::ldexp(rate, 32))),
          1 / (1 - rate)};
}

template <class T>
Tensor<T> dropoutMask(const Shape& shape, double rate, std::uint64_t seed, std::uint64_t stream) {
  auto mask = Tensor<T>::uninitialized(shape);
  const DropoutDraws draws = DropoutDraws::of(rate, seed, stream);
  const T kept = static_cast<T>(draws.kept);
  T* const out = mask.exclusiveData();
  // two draws of 32 bits from each number
  for (std::size_t i = 0; i < mask.size(); i += 2) {
    const std::uint64_t bits = splitMix(draws.key, i / 2);
    out[i] = static_cast<std::uint32_t>(bits) < draws.threshold ? T(0) : kept;
    if (i + 1 < mask.size())
      out[i + 1] = static_cast<std::uint32_t>(bits >> 32) < draws.threshold ? T(0) : kept;
  }
  return mask;
}

template Tensor<float> dropoutMask(const Shape&, double, std::uint64_t, std::uint64_t);
template Tensor<double> dropoutMask(const Shape&, double, std::uint64_t, std::uint64_t);

}  // namespace tapestry::kernels
#pragma GCC visibility pop
