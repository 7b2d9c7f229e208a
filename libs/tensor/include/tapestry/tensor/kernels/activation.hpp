// Defines the activations of more than one step, silu, gelu, leakyRelu and elu, and their derivatives.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <numbers>
#include <type_traits>
#include <utility>

#include <tapestry/tensor/kernels/elementwise.hpp>
#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

// Each function makes one pass over memory. The first operand is passed by value: if the caller moves the
// only handle in, the result is written in place. A derivative is delta * dy/dx and throws ShapeError if
// delta and x differ in shape. NaN yields NaN. Infinities yield the limits, but leakyRelu yields NaN at
// -infinity if its slope is 0.

/// x s, where s = sigmoid(x); dy/dx = s (1 + x (1 - s)).
template <class T>
Tensor<T> silu(Tensor<T> x);
template <class T>
Tensor<T> siluDerivative(Tensor<T> delta, const Tensor<T>& x);

/// x s, where s = sigmoid(x (a + b x^2)); dy/dx = s + x s (1 - s) (a + 3 b x^2).
struct Gelu {
  static constexpr double a = 2 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
  static constexpr double b = 0.044715 * a;
  static constexpr double saturated = 100;  ///< s is 0 or 1 for larger |x|, also in double
};
template <class T>
Tensor<T> gelu(Tensor<T> x);
template <class T>
Tensor<T> geluDerivative(Tensor<T> delta, const Tensor<T>& x);

/// x where x > 0, else slope * x; dy/dx = 1 or slope, at 0 their mean.
template <class T>
Tensor<T> leakyRelu(Tensor<T> x, std::type_identity_t<T> slope);
template <class T>
Tensor<T> leakyReluDerivative(Tensor<T> delta, const Tensor<T>& x, std::type_identity_t<T> slope);

/// x where x > 0, else alpha (e^x - 1); dy/dx = 1 or alpha e^x, at 0 their mean.
template <class T>
Tensor<T> elu(Tensor<T> x, std::type_identity_t<T> alpha);
template <class T>
Tensor<T> eluDerivative(Tensor<T> delta, const Tensor<T>& x, std::type_identity_t<T> alpha);

TAPESTRY_OWN_KERNEL(silu, (X x), (std::move(x)))
TAPESTRY_OWN_KERNEL(siluDerivative, (X delta, const X& x), (std::move(delta), x))
TAPESTRY_OWN_KERNEL(gelu, (X x), (std::move(x)))
TAPESTRY_OWN_KERNEL(geluDerivative, (X delta, const X& x), (std::move(delta), x))
TAPESTRY_OWN_KERNEL(leakyRelu, (X x, typename X::Value slope), (std::move(x), slope))
TAPESTRY_OWN_KERNEL(leakyReluDerivative, (X delta, const X& x, typename X::Value slope),
                    (std::move(delta), x, slope))
TAPESTRY_OWN_KERNEL(elu, (X x, typename X::Value alpha), (std::move(x), alpha))
TAPESTRY_OWN_KERNEL(eluDerivative, (X delta, const X& x, typename X::Value alpha),
                    (std::move(delta), x, alpha))

template <std::floating_point T>
T silu(T x) noexcept {
  return std::max(x, std::numeric_limits<T>::lowest()) * sigmoid(x);
}

template <std::floating_point T>
T siluDerivative(T delta, T x) noexcept {
  constexpr T most = std::numeric_limits<T>::max();
  const T s = sigmoid(x);
  return delta * s * (1 + std::clamp(x, -most, most) * (1 - s));
}

template <std::floating_point T>
T gelu(T x) noexcept {
  return std::max(x, std::numeric_limits<T>::lowest()) * sigmoid(x * (T(Gelu::a) + T(Gelu::b) * x * x));
}

template <std::floating_point T>
T geluDerivative(T delta, T x) noexcept {
  const T near = std::clamp(x, T(-Gelu::saturated), T(Gelu::saturated));
  const T s = sigmoid(near * (T(Gelu::a) + T(Gelu::b) * near * near));
  return delta * (s + near * s * (1 - s) * (T(Gelu::a) + 3 * T(Gelu::b) * near * near));
}

template <std::floating_point T>
T leakyRelu(T x, std::type_identity_t<T> slope) noexcept {
  return x > 0 ? x : slope * x;
}

template <std::floating_point T>
T leakyReluDerivative(T delta, T x, std::type_identity_t<T> slope) noexcept {
  return delta * (x > 0 ? 1 : x < 0 ? slope : x == 0 ? (1 + slope) / 2 : x);
}

template <std::floating_point T>
T elu(T x, std::type_identity_t<T> alpha) noexcept {
  return x > 0 ? x : alpha * std::expm1(x);
}

template <std::floating_point T>
T eluDerivative(T delta, T x, std::type_identity_t<T> alpha) noexcept {
  return delta * (x > 0 ? 1 : x < 0 ? alpha * std::exp(x) : x == 0 ? (1 + alpha) / 2 : x);
}

}  // namespace tapestry::kernels
#pragma GCC visibility pop
