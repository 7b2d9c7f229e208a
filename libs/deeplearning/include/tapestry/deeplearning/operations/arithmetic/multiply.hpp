// Defines operator*, the elementwise product.
#pragma once

#include "tapestry/deeplearning/numeric.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace operations {

/// z = x * y; dz/dx = y, dz/dy = x.
inline constexpr auto multiply = binaryOperation<"multiply", Keep::operands>(
    []<class X>(const X& x, const Meeting<X> auto& y) { return kernels::multiply(x, y); },
    [](const auto& delta, const auto&, const auto& y) { return kernels::multiply(delta, y); },
    [](const auto& delta, const auto& x, const auto&) { return kernels::multiply(delta, x); });

}  // namespace operations

template <class A>
auto operator*(const A& a, const DifferentiablePair<A> auto& b) {
  return operations::multiply(a, b);
}

template <class = void>
void operator*(  // expected Differentiable operands, scalars or tensors, of one element type
    detail::AnyOperand, detail::Unfit) = delete;
template <class = void>
void operator*(  // expected Differentiable operands, scalars or tensors, of one element type
    detail::NoOperand, detail::AnyOperand) = delete;

}  // namespace tapestry
#pragma GCC visibility pop
