// Defines min, the elementwise minimum.
#pragma once

#include "tapestry/deeplearning/kernels/arithmetic.hpp"
#include "tapestry/deeplearning/kernels/derivative.hpp"
#include "tapestry/deeplearning/operation.hpp"

namespace tapestry {

namespace operations {

/// z = min(x, y), NaN if either is; the delta goes to the smaller operand, and half to each where they are
/// equal: to either what max would pass to the other.
inline constexpr auto min = binaryOperation<"min", Keep::operands>(
    [](const auto& x, const auto& y) { return kernels::minimum(x, y); },
    [](const auto& delta, const auto& x, const auto& y) {
      return kernels::maximumDerivativeRight(delta, detail::asOperandOf(delta, x),
                                             detail::asOperandOf(delta, y));
    },
    [](const auto& delta, const auto& x, const auto& y) {
      return kernels::maximumDerivativeLeft(delta, detail::asOperandOf(delta, x),
                                            detail::asOperandOf(delta, y));
    });

}  // namespace operations

template <class A, class B>
  requires Meeting<A, B>
auto min(const A& x, const B& y) {
  return operations::min(x, y);
}

}  // namespace tapestry
