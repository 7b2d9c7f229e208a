// Defines the derivatives of elementwise functions, each fused with the multiplication by the incoming delta.
#pragma once

#include <concepts>
#include <utility>

#include <tapestry/tensor/kernels/elementwise.hpp>
#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

// Each function makes one pass over memory. `delta` is passed by value: if the caller moves the only handle
// in, the result is written in place. `output` is the value of the function, `x` its operand; a shape that
// differs from delta's throws ShapeError.

// Declares the function for tensors, and defines it for scalars.
#define TAPESTRY_DECLARE(name, of, result)                                  \
  template <class T>                                                        \
  Tensor<T> name(Tensor<T> delta, const Tensor<T>& of);                     \
  TAPESTRY_OWN_KERNEL(name, (X delta, const X& of), (std::move(delta), of)) \
  template <std::floating_point T>                                          \
  T name(T delta, T of) noexcept {                                          \
    return result;                                                          \
  }

/// delta where the output is positive, else 0; so the derivative at 0 is 0.
TAPESTRY_DECLARE(reluDerivative, output, output > 0 ? delta : T{0})
/// delta * (1 - output^2).
TAPESTRY_DECLARE(tanhDerivative, output, (delta * (1 - output * output)))
/// delta * output * (1 - output).
TAPESTRY_DECLARE(sigmoidDerivative, output, (delta * output * (1 - output)))
/// delta * sign(x); so the derivative at 0 is 0.
TAPESTRY_DECLARE(absDerivative, x, (delta * sign(x)))
#undef TAPESTRY_DECLARE

/// Returns the share of `delta` that maximum(a, b) passes to a: all of it where a > b, half where a and b are
/// equal, else 0. `delta` has the shape that a and b broadcast to. Exchange a and b for the share of b.
template <class T>
Tensor<T> maximumDerivativeLeft(Tensor<T> delta, const Tensor<T>& a, const Tensor<T>& b);

TAPESTRY_OWN_KERNEL(maximumDerivativeLeft, (X delta, const X& a, const X& b), (std::move(delta), a, b))

template <std::floating_point T>
T maximumDerivativeLeft(T delta, T a, T b) noexcept {
  return a > b ? delta : a == b ? delta / 2 : T{0};
}

}  // namespace tapestry::kernels
#pragma GCC visibility pop
