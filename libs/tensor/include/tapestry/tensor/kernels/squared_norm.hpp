// Defines squaredNorm, the sum of all squares of a tensor or scalar.
#pragma once

#include <concepts>

#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

/// Adds up in double, so that squares of floats do not overflow. The result does not depend on the threads.
template <class T>
double squaredNorm(const Tensor<T>& x);

template <std::floating_point T>
double squaredNorm(T x) noexcept {
  return static_cast<double>(x) * static_cast<double>(x);
}

}  // namespace tapestry::kernels
#pragma GCC visibility pop
