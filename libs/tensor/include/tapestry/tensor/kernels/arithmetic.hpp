// Defines the elementwise functions of two operands, which broadcast, over tensors and scalars alike.
#pragma once

#include <cmath>
#include <concepts>
#include <type_traits>
#include <utility>

#include <tapestry/tensor/tensor.hpp>

namespace tapestry::kernels {

// Shapes broadcast as in NumPy, else ShapeError names the function and both. Where a tensor comes by value,
// has the result's shape, and the caller hands over its only handle, the result is written in its place.

template <class T>
Tensor<T> add(Tensor<T> a, const Tensor<T>& b);
template <class T>
Tensor<T> subtract(Tensor<T> a, const Tensor<T>& b);
template <class T>
Tensor<T> multiply(Tensor<T> a, const Tensor<T>& b);
template <class T>
Tensor<T> divide(Tensor<T> a, const Tensor<T>& b);

/// The larger of the two; NaN if either is.
template <class T>
Tensor<T> maximum(Tensor<T> a, const Tensor<T>& b);
/// The smaller of the two; NaN if either is.
template <class T>
Tensor<T> minimum(Tensor<T> a, const Tensor<T>& b);

/// x where the condition is not 0, else 0, whatever x is there. NaN is not 0.
template <class T>
Tensor<T> where(Tensor<T> condition, const Tensor<T>& x);
/// x where the condition is 0, else 0.
template <class T>
Tensor<T> unless(Tensor<T> condition, const Tensor<T>& x);

template <class T>
Tensor<T> add(Tensor<T> a, std::type_identity_t<T> b);
template <class T>
Tensor<T> subtract(Tensor<T> a, std::type_identity_t<T> b);
template <class T>
Tensor<T> multiply(Tensor<T> a, std::type_identity_t<T> b);
template <class T>
Tensor<T> divide(Tensor<T> a, std::type_identity_t<T> b);
template <class T>
Tensor<T> maximum(Tensor<T> a, std::type_identity_t<T> b);
template <class T>
Tensor<T> minimum(Tensor<T> a, std::type_identity_t<T> b);
template <class T>
Tensor<T> where(Tensor<T> condition, std::type_identity_t<T> x);
template <class T>
Tensor<T> unless(Tensor<T> condition, std::type_identity_t<T> x);

template <class T>
Tensor<T> add(std::type_identity_t<T> a, Tensor<T> b);
template <class T>
Tensor<T> subtract(std::type_identity_t<T> a, Tensor<T> b);
template <class T>
Tensor<T> multiply(std::type_identity_t<T> a, Tensor<T> b);
template <class T>
Tensor<T> divide(std::type_identity_t<T> a, Tensor<T> b);
template <class T>
Tensor<T> maximum(std::type_identity_t<T> a, Tensor<T> b);
template <class T>
Tensor<T> minimum(std::type_identity_t<T> a, Tensor<T> b);
template <class T>
Tensor<T> where(std::type_identity_t<T> condition, Tensor<T> x);
template <class T>
Tensor<T> unless(std::type_identity_t<T> condition, Tensor<T> x);

/// accumulator += x, in place if the accumulator is unique. Throws ShapeError unless the shapes are equal.
template <class T>
void addInto(Tensor<T>& accumulator, const Tensor<T>& x);

template <std::floating_point T>
T add(T a, T b) noexcept {
  return a + b;
}

template <std::floating_point T>
T subtract(T a, T b) noexcept {
  return a - b;
}

template <std::floating_point T>
T multiply(T a, T b) noexcept {
  return a * b;
}

template <std::floating_point T>
T divide(T a, T b) noexcept {
  return a / b;
}

template <std::floating_point T>
T maximum(T a, T b) noexcept {
  return a > b || std::isnan(a) ? a : b;
}

template <std::floating_point T>
T minimum(T a, T b) noexcept {
  return a < b || std::isnan(a) ? a : b;
}

template <std::floating_point T>
T where(T condition, T x) noexcept {
  return condition != 0 ? x : T{0};
}

template <std::floating_point T>
T unless(T condition, T x) noexcept {
  return condition == 0 ? x : T{0};
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
