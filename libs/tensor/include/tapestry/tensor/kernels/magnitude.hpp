// Defines magnitude, the largest absolute value of a tensor or scalar.
#pragma once

#include <cmath>
#include <concepts>

#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

/// NaN if any element is NaN; 0 for no elements. All elements are finite if the result is. Cost: one pass
/// over x; a tensor of floats that are not racing caches the result until they change, separately in each
/// reshaped handle.
template <class T>
T magnitude(const Tensor<T>& x);

template <std::floating_point T>
T magnitude(T x) noexcept {
  return std::abs(x);
}

}  // namespace tapestry::kernels
#pragma GCC visibility pop
