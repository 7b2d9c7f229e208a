// Defines the elementwise functions of two operands, tensors or scalars, which broadcast.
#pragma once

#include <cmath>
#include <concepts>
#include <type_traits>
#include <utility>

#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/tensor.hpp>

namespace tapestry::kernels {

// Shapes broadcast as in NumPy, else ShapeError names the function and both shapes. If a tensor that is
// passed by value has the result's shape and the caller moves its only handle in, the result is written in
// place.

// Declares the function for tensors and for a tensor and a scalar, and defines it for scalars.
#define TAPESTRY_DECLARE(name, value)                                                \
  template <class T>                                                                 \
  Tensor<T> name(Tensor<T> a, const Tensor<T>& b);                                   \
  template <class T>                                                                 \
  Tensor<T> name(Tensor<T> a, std::type_identity_t<T> b);                            \
  template <class T>                                                                 \
  Tensor<T> name(std::type_identity_t<T> a, Tensor<T> b);                            \
  template <OwnKernels X>                                                            \
  auto name(X a, X b)->decltype(X::Kernels::name(std::move(a), std::move(b))) {      \
    return X::Kernels::name(std::move(a), std::move(b));                             \
  }                                                                                  \
  template <OwnKernels X>                                                            \
  auto name(X a, typename X::Value b)->decltype(X::Kernels::name(std::move(a), b)) { \
    return X::Kernels::name(std::move(a), b);                                        \
  }                                                                                  \
  template <OwnKernels X>                                                            \
  auto name(typename X::Value a, X b)->decltype(X::Kernels::name(a, std::move(b))) { \
    return X::Kernels::name(a, std::move(b));                                        \
  }                                                                                  \
  template <std::floating_point T>                                                   \
  T name(T a, T b) noexcept {                                                        \
    return value;                                                                    \
  }

TAPESTRY_DECLARE(add, a + b)
TAPESTRY_DECLARE(subtract, a - b)
TAPESTRY_DECLARE(multiply, (a * b))
TAPESTRY_DECLARE(divide, a / b)

/// The larger of the two; NaN if either is.
TAPESTRY_DECLARE(maximum, a > b || std::isnan(a) ? a : b)
/// The smaller of the two; NaN if either is.
TAPESTRY_DECLARE(minimum, a < b || std::isnan(a) ? a : b)

/// b where a is not 0, else 0 regardless of b. NaN is not 0.
TAPESTRY_DECLARE(where, a != 0 ? b : T{0})
/// b where a is 0, else 0.
TAPESTRY_DECLARE(unless, a == 0 ? b : T{0})
#undef TAPESTRY_DECLARE

/// accumulator += x, in place if the accumulator is unique. Throws ShapeError unless the shapes are equal.
template <class T>
void addInto(Tensor<T>& accumulator, const Tensor<T>& x);

template <OwnKernels X>
void addInto(X& accumulator, const X& x) {
  X::Kernels::addInto(accumulator, x);
}

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
