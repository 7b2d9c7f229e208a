// Defines dropoutMask, a tensor of zeros and of the factor that scales up the kept elements.
#pragma once

#include <cstdint>

#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

/// How a mask is drawn: element i is 0 if the i-th number of 32 bits of the key is below the threshold, else
/// `kept`. The numbers 2j and 2j + 1 are the lower and the upper bits of splitMix(key, j).
struct DropoutDraws {
  std::uint64_t key;
  std::uint64_t threshold;
  double kept;

  /// Returns how a mask of this rate is drawn; 0 <= rate < 1.
  static DropoutDraws of(double rate, std::uint64_t seed, std::uint64_t stream) noexcept;
};

/// Each element is 0 with probability `rate`, else 1 / (1 - rate), independently of the others. It depends
/// only on the seed, the stream and the element's index, and is the same on every machine. Precondition: 0 <=
/// rate < 1.
template <class T>
Tensor<T> dropoutMask(const Shape& shape, double rate, std::uint64_t seed, std::uint64_t stream);

/// The mask in the shape of x.
template <class T>
Tensor<T> dropoutMaskFor(const Tensor<T>& x, double rate, std::uint64_t seed, std::uint64_t stream) {
  return dropoutMask<T>(x.shape(), rate, seed, stream);
}
TAPESTRY_OWN_KERNEL(dropoutMaskFor, (const X& x, double rate, std::uint64_t seed, std::uint64_t stream),
                    (x, rate, seed, stream))

}  // namespace tapestry::kernels
#pragma GCC visibility pop
