// Defines operator*, the elementwise product.
#pragma once

#include "tapestry/deeplearning/kernels/arithmetic.hpp"
#include "tapestry/deeplearning/operation.hpp"

namespace tapestry {

namespace operations {

/// z = x * y; dz/dx = y, dz/dy = x.
inline constexpr auto multiply = binaryOperation<"multiply", Keep::operands>(
    [](const auto& x, const auto& y) { return kernels::multiply(x, y); },
    [](const auto& delta, const auto&, const auto& y) { return kernels::multiply(delta, y); },
    [](const auto& delta, const auto& x, const auto&) { return kernels::multiply(delta, x); });

}  // namespace operations

template <class A, class B>
  requires DifferentiablePair<A, B>
auto operator*(const A& a, const B& b) {
  return operations::multiply(a, b);
}

}  // namespace tapestry
