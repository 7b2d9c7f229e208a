// Defines operator/, the elementwise quotient.
#pragma once

#include "tapestry/deeplearning/numeric.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace operations {

/// z = x / y; dz/dx = 1 / y, dz/dy = -x / y^2.
inline constexpr auto divide = binaryOperation<"divide", Keep::operands>(
    []<class X>(const X& x, const Meeting<X> auto& y) { return kernels::divide(x, y); },
    [](const auto& delta, const auto&, const auto& y) { return kernels::divide(delta, y); },
    [](const auto& delta, const auto& x, const auto& y) {
      // the square of y might overflow
      return kernels::negate(kernels::multiply(kernels::divide(delta, y), kernels::divide(x, y)));
    });

}  // namespace operations

template <class A>
auto operator/(const A& a, const DifferentiablePair<A> auto& b) {
  return operations::divide(a, b);
}

template <class = void>
void operator/(  // expected Differentiable operands, scalars or tensors, of one element type
    detail::AnyOperand, detail::Unfit) = delete;
template <class = void>
void operator/(  // expected Differentiable operands, scalars or tensors, of one element type
    detail::NoOperand, detail::AnyOperand) = delete;

}  // namespace tapestry
#pragma GCC visibility pop
