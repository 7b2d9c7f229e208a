// Defines operator+, the elementwise sum.
#pragma once

#include "tapestry/deeplearning/numeric.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace operations {

/// z = x + y; dz/dx = dz/dy = 1.
inline constexpr auto add = binaryOperation<"add", Keep::nothing>(
    []<class X>(const X& x, const Meeting<X> auto& y) { return kernels::add(x, y); },
    [](const auto& delta) { return delta; }, [](const auto& delta) { return delta; });

}  // namespace operations

template <class A>
auto operator+(const A& a, const DifferentiablePair<A> auto& b) {
  return operations::add(a, b);
}

template <class = void>
void operator+(  // expected Differentiable operands, scalars or tensors, of one element type
    detail::AnyOperand, detail::Unfit) = delete;
template <class = void>
void operator+(  // expected Differentiable operands, scalars or tensors, of one element type
    detail::NoOperand, detail::AnyOperand) = delete;

}  // namespace tapestry
#pragma GCC visibility pop
