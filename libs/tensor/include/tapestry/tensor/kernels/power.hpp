// Defines power and its derivatives, for tensors and scalars, which broadcast.
#pragma once

#include <cmath>
#include <concepts>
#include <type_traits>
#include <utility>

#include <tapestry/tensor/kernels/detail/declare_binary.hpp>
#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

// Shapes broadcast as in NumPy, else ShapeError names pow and both shapes. If a tensor that is passed by
// value has the result's shape and the caller moves its only handle in, the result is written in place.

/// Returns a^b as std::pow does, but NaN if either operand is NaN. So a negative base with an exponent that
/// is not an integer yields NaN, and any other base to the power of 0 yields 1.
TAPESTRY_DECLARE_BINARY(power, b == 1          ? a
                               : b == 2        ? a * a
                               : std::isnan(a) ? a
                               : std::isnan(b) ? b
                                               : std::pow(a, b))
#undef TAPESTRY_DECLARE_BINARY

/// Returns delta * b * a^(b - 1), where the factor of delta is 0 if b is 0. Throws ShapeError unless `delta`
/// has the shape that a and b broadcast to.
template <class T>
Tensor<T> powerDerivativeLeft(Tensor<T> delta, const Tensor<T>& a, const Tensor<T>& b);

/// Returns delta * a^b * log(a), where the factor of delta is 0 if a^b is 0 and a is not negative (the limit
/// for b > 0), and 0 for 0^0. NaN for a negative base.
template <class T>
Tensor<T> powerDerivativeRight(Tensor<T> delta, const Tensor<T>& a, const Tensor<T>& b);

TAPESTRY_OWN_KERNEL(powerDerivativeLeft, (X delta, const X& a, const X& b), (std::move(delta), a, b))
TAPESTRY_OWN_KERNEL(powerDerivativeRight, (X delta, const X& a, const X& b), (std::move(delta), a, b))

template <std::floating_point T>
T powerDerivativeLeft(T delta, T a, T b) noexcept {
  return delta * (b == 0 && !std::isnan(a) ? T{0} : b * power(a, b - 1));
}

template <std::floating_point T>
T powerDerivativeRight(T delta, T a, T b) noexcept {
  const T c = power(a, b);
  return delta * ((c == 0 && a >= 0) || (a == 0 && b == 0) ? T{0} : c * std::log(a));
}

}  // namespace tapestry::kernels
#pragma GCC visibility pop
