// Defines the elementwise functions of two operands, tensors or scalars, which broadcast.
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

// Shapes broadcast as in NumPy, else ShapeError names the function and both shapes. If a tensor that is
// passed by value has the result's shape and the caller moves its only handle in, the result is written in
// place.

TAPESTRY_DECLARE_BINARY(add, a + b)
TAPESTRY_DECLARE_BINARY(subtract, a - b)
TAPESTRY_DECLARE_BINARY(multiply, (a * b))
TAPESTRY_DECLARE_BINARY(divide, a / b)

/// The larger of the two; NaN if either is.
TAPESTRY_DECLARE_BINARY(maximum, a > b || std::isnan(a) ? a : b)
/// The smaller of the two; NaN if either is.
TAPESTRY_DECLARE_BINARY(minimum, a < b || std::isnan(a) ? a : b)

/// b where a is not 0, else 0 regardless of b. NaN is not 0.
TAPESTRY_DECLARE_BINARY(where, a != 0 ? b : T{0})
/// b where a is 0, else 0.
TAPESTRY_DECLARE_BINARY(unless, a == 0 ? b : T{0})
#undef TAPESTRY_DECLARE_BINARY

/// accumulator += x, in place if the accumulator is unique. Throws ShapeError unless the shapes are equal.
template <class T>
void addInto(Tensor<T>& accumulator, const Tensor<T>& x);

TAPESTRY_OWN_KERNEL(addInto, (X & accumulator, const X& x), (accumulator, x))

template <std::floating_point T>
void addInto(T& accumulator, T x) noexcept {
  accumulator += x;
}

/// factor * x.
template <class X, class T>
  requires requires(X x, T factor) { multiply(std::move(x), factor); }
X scale(X x, T factor) {
  return multiply(std::move(x), factor);
}

}  // namespace tapestry::kernels
#pragma GCC visibility pop
