// Defines magnitude, the largest absolute value, over tensors and scalars alike.
#pragma once

#include <cmath>
#include <concepts>

#include <tapestry/tensor/tensor.hpp>

namespace tapestry::kernels {

/// NaN if there is one; 0 of no elements. So all are finite where it is. Cost: x is read; a tensor of
/// floats that are not racing remembers it until they change, and each reshaped handle for itself.
template <class T>
T magnitude(const Tensor<T>& x);

template <std::floating_point T>
T magnitude(T x) noexcept {
  return std::abs(x);
}

}  // namespace tapestry::kernels
