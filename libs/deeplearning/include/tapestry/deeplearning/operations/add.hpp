// Defines operator+, the elementwise sum.
#pragma once

#include "tapestry/deeplearning/kernels/arithmetic.hpp"
#include "tapestry/deeplearning/operation.hpp"

namespace tapestry {

namespace operations {

/// z = x + y; dz/dx = dz/dy = 1.
inline constexpr auto add = binaryOperation<"add", Keep::nothing>(
    [](const auto& x, const auto& y) { return kernels::add(x, y); }, [](const auto& delta) { return delta; },
    [](const auto& delta) { return delta; });

}  // namespace operations

template <class A, class B>
  requires DifferentiablePair<A, B>
auto operator+(const A& a, const B& b) {
  return operations::add(a, b);
}

}  // namespace tapestry
