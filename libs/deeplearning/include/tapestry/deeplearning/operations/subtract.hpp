// Defines operator-, the elementwise difference.
#pragma once

#include "tapestry/deeplearning/kernels/arithmetic.hpp"
#include "tapestry/deeplearning/kernels/elementwise.hpp"
#include "tapestry/deeplearning/operation.hpp"

namespace tapestry {

namespace operations {

/// z = x - y; dz/dx = 1, dz/dy = -1.
inline constexpr auto subtract = binaryOperation<"subtract", Keep::nothing>(
    [](const auto& x, const auto& y) { return kernels::subtract(x, y); },
    [](const auto& delta) { return delta; }, [](const auto& delta) { return kernels::negate(delta); });

}  // namespace operations

template <class A, class B>
  requires DifferentiablePair<A, B>
auto operator-(const A& a, const B& b) {
  return operations::subtract(a, b);
}

}  // namespace tapestry
