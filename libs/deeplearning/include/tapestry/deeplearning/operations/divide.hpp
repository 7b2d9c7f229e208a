// Defines operator/, the elementwise quotient.
#pragma once

#include "tapestry/deeplearning/kernels/arithmetic.hpp"
#include "tapestry/deeplearning/kernels/elementwise.hpp"
#include "tapestry/deeplearning/operation.hpp"

namespace tapestry {

namespace operations {

/// z = x / y; dz/dx = 1 / y, dz/dy = -x / y^2.
inline constexpr auto divide = binaryOperation<"divide", Keep::operands>(
    [](const auto& x, const auto& y) { return kernels::divide(x, y); },
    [](const auto& delta, const auto&, const auto& y) { return kernels::divide(delta, y); },
    [](const auto& delta, const auto& x, const auto& y) {
      // the square of y might overflow
      return kernels::negate(kernels::multiply(kernels::divide(delta, y), kernels::divide(x, y)));
    });

}  // namespace operations

template <class A, class B>
  requires DifferentiablePair<A, B>
auto operator/(const A& a, const B& b) {
  return operations::divide(a, b);
}

}  // namespace tapestry
