// Defines max, the elementwise maximum.
#pragma once

#include "tapestry/deeplearning/kernels/arithmetic.hpp"
#include "tapestry/deeplearning/kernels/derivative.hpp"
#include "tapestry/deeplearning/operation.hpp"

namespace tapestry {

namespace operations {

/// z = max(x, y); the delta goes to the larger operand, and half to each where they are equal.
inline constexpr auto max = binaryOperation<"max", Keep::operands>(
    [](const auto& x, const auto& y) { return kernels::maximum(x, y); },
    [](const auto& delta, const auto& x, const auto& y) {
      return kernels::maximumDerivativeLeft(delta, detail::asOperandOf(delta, x),
                                            detail::asOperandOf(delta, y));
    },
    [](const auto& delta, const auto& x, const auto& y) {
      return kernels::maximumDerivativeRight(delta, detail::asOperandOf(delta, x),
                                             detail::asOperandOf(delta, y));
    });

}  // namespace operations

template <class A, class B>
  requires Meeting<A, B>
auto max(const A& x, const B& y) {
  return operations::max(x, y);
}

}  // namespace tapestry
