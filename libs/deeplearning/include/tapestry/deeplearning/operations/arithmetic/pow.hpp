// Defines pow, the elementwise power.
#pragma once

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/power.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace operations {

/// z = x^y, NaN if x or y is, or if x < 0 and y is no integer.
/// dz/dx = y x^(y - 1), 0 where y = 0; so a negative x is fine as long as y is an integer.
/// dz/dy = z log(x), 0 where x = 0 and y >= 0, and NaN where x < 0: between two integers z is not real there.
inline constexpr auto pow = binaryOperation<"pow", Keep::operands>(
    []<class X>(const X& x, const Meeting<X> auto& y) { return kernels::power(x, y); },
    [](const auto& delta, const auto& x, const auto& y) {
      return kernels::powerDerivativeLeft(delta, detail::asOperandOf(delta, x),
                                          detail::asOperandOf(delta, y));
    },
    [](const auto& delta, const auto& x, const auto& y) {
      return kernels::powerDerivativeRight(delta, detail::asOperandOf(delta, x),
                                           detail::asOperandOf(delta, y));
    });

}  // namespace operations

template <class A>
auto pow(const A& x, const Meeting<A> auto& y) {
  return operations::pow(x, y);
}

void pow(...) = delete;  // expected Differentiable scalars or tensors of one element type

}  // namespace tapestry
#pragma GCC visibility pop
