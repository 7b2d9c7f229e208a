// Defines the elementwise functions of one operand, a tensor or a scalar.
#pragma once

#include <cmath>
#include <concepts>
#include <utility>

#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

// The operand is passed by value: if the caller moves the only handle in, the result is written in place. NaN
// always yields NaN. A result that is not exact is within 4 ulp of the exact value.

// Declares the function for tensors, and defines it for scalars.
#define TAPESTRY_DECLARE(name, value)              \
  template <class T>                               \
  Tensor<T> name(Tensor<T> x);                     \
  TAPESTRY_OWN_KERNEL(name, (X x), (std::move(x))) \
  template <std::floating_point T>                 \
  T name(T x) noexcept {                           \
    return value;                                  \
  }

/// -x.
TAPESTRY_DECLARE(negate, -x)
TAPESTRY_DECLARE(abs, std::abs(x))
/// -1, 0 or 1.
TAPESTRY_DECLARE(sign, std::isnan(x) ? x : static_cast<T>((x > 0) - (x < 0)))
/// NaN for x < 0.
TAPESTRY_DECLARE(sqrt, std::sqrt(x))
TAPESTRY_DECLARE(exp, std::exp(x))
/// exp(x) - 1, accurate near 0 too.
TAPESTRY_DECLARE(expm1, std::expm1(x))
/// -inf at 0, NaN below.
TAPESTRY_DECLARE(log, std::log(x))
/// log(1 + x), accurate near 0 too; -inf at -1, NaN below.
TAPESTRY_DECLARE(log1p, std::log1p(x))
/// x is in radians; NaN at infinities. Slow for |x| > 39000.
TAPESTRY_DECLARE(sin, std::sin(x))
TAPESTRY_DECLARE(cos, std::cos(x))
/// max(x, 0).
TAPESTRY_DECLARE(relu, x < 0 ? T{0} : x)
TAPESTRY_DECLARE(tanh, std::tanh(x))
/// log(1 + exp(x)), as max(x, 0) + log1p(exp(-|x|)), without overflow.
TAPESTRY_DECLARE(softplus, relu(x) + std::log1p(std::exp(-std::abs(x))))
#undef TAPESTRY_DECLARE

/// 1 / (1 + exp(-x)), without overflow for any x.
template <class T>
Tensor<T> sigmoid(Tensor<T> x);
TAPESTRY_OWN_KERNEL(sigmoid, (X x), (std::move(x)))
template <std::floating_point T>
T sigmoid(T x) noexcept {
  const T tail = std::exp(-std::abs(x));
  return (x < 0 ? tail : T{1}) / (1 + tail);
}

}  // namespace tapestry::kernels
#pragma GCC visibility pop
