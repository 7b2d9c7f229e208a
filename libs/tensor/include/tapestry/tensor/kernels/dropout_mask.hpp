// Defines dropoutMask, a tensor of zeros and of what scales up the rest.
#pragma once

#include <cstdint>

#include <tapestry/tensor/tensor.hpp>

namespace tapestry::kernels {

/// 0 with probability `rate`, else 1 / (1 - rate), for each element independently; a function of the seed,
/// the stream and the element's index alone, the same on every machine. Precondition: 0 <= rate < 1.
template <class T>
Tensor<T> dropoutMask(const Shape& shape, double rate, std::uint64_t seed, std::uint64_t stream);

}  // namespace tapestry::kernels
