// Defines the elementwise functions of one operand, over tensors and scalars alike.
#pragma once

#include <cmath>
#include <concepts>

#include <tapestry/tensor/tensor.hpp>

namespace tapestry::kernels {

// Each takes its operand by value: when the caller hands over the only handle, the result is written in its
// place. NaN yields NaN everywhere. What is not exact is within 4 ulp of the exact value.

template <class T>
Tensor<T> negate(Tensor<T> x);

template <class T>
Tensor<T> abs(Tensor<T> x);

/// -1, 0 or 1.
template <class T>
Tensor<T> sign(Tensor<T> x);

/// NaN below 0.
template <class T>
Tensor<T> sqrt(Tensor<T> x);

template <class T>
Tensor<T> exp(Tensor<T> x);

/// exp(x) - 1, exact near 0 too.
template <class T>
Tensor<T> expm1(Tensor<T> x);

/// -inf at 0, NaN below.
template <class T>
Tensor<T> log(Tensor<T> x);

/// log(1 + x), exact near 0 too; -inf at -1, NaN below.
template <class T>
Tensor<T> log1p(Tensor<T> x);

/// Of radians; NaN at infinities. Beyond 39000 they are slow.
template <class T>
Tensor<T> sin(Tensor<T> x);
template <class T>
Tensor<T> cos(Tensor<T> x);

/// max(x, 0).
template <class T>
Tensor<T> relu(Tensor<T> x);

template <class T>
Tensor<T> tanh(Tensor<T> x);

/// 1 / (1 + exp(-x)), without overflow at either end.
template <class T>
Tensor<T> sigmoid(Tensor<T> x);

/// log(1 + exp(x)), as max(x, 0) + log1p(exp(-|x|)), without overflow.
template <class T>
Tensor<T> softplus(Tensor<T> x);

template <std::floating_point T>
T negate(T x) noexcept {
  return -x;
}

template <std::floating_point T>
T abs(T x) noexcept {
  return std::abs(x);
}

template <std::floating_point T>
T sign(T x) noexcept {
  return std::isnan(x) ? x : static_cast<T>((x > 0) - (x < 0));
}

template <std::floating_point T>
T sqrt(T x) noexcept {
  return std::sqrt(x);
}

template <std::floating_point T>
T exp(T x) noexcept {
  return std::exp(x);
}

template <std::floating_point T>
T expm1(T x) noexcept {
  return std::expm1(x);
}

template <std::floating_point T>
T log(T x) noexcept {
  return std::log(x);
}

template <std::floating_point T>
T log1p(T x) noexcept {
  return std::log1p(x);
}

template <std::floating_point T>
T sin(T x) noexcept {
  return std::sin(x);
}

template <std::floating_point T>
T cos(T x) noexcept {
  return std::cos(x);
}

template <std::floating_point T>
T relu(T x) noexcept {
  return x < 0 ? T{0} : x;
}

template <std::floating_point T>
T tanh(T x) noexcept {
  return std::tanh(x);
}

template <std::floating_point T>
T sigmoid(T x) noexcept {
  const T tail = std::exp(-std::abs(x));
  return (x < 0 ? tail : T{1}) / (1 + tail);
}

template <std::floating_point T>
T softplus(T x) noexcept {
  return relu(x) + std::log1p(std::exp(-std::abs(x)));
}

}  // namespace tapestry::kernels
