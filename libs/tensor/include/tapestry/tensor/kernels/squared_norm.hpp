// Defines squaredNorm, the sum of all squares, over tensors and scalars alike.
#pragma once

#include <concepts>

#include <tapestry/tensor/tensor.hpp>

namespace tapestry::kernels {

/// Added up in double: squares of floats do not overflow. Does not depend on the threads.
template <class T>
double squaredNorm(const Tensor<T>& x);

template <std::floating_point T>
double squaredNorm(T x) noexcept {
  return static_cast<double>(x) * static_cast<double>(x);
}

}  // namespace tapestry::kernels
