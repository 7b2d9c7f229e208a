// Defines clamp, which keeps elements within bounds.
#pragma once

#include "tapestry/deeplearning/detail/parameters.hpp"
#include "tapestry/deeplearning/numeric.hpp"
#include "tapestry/deeplearning/operations/reduction/max.hpp"
#include "tapestry/deeplearning/operations/reduction/min.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// y = min(max(x, low), high); dy/dx = 1 between the bounds, 0 outside, and 1/2 at a bound, where the bound
/// shares in the delta. NaN stays NaN. The bounds take x's element type; write min and max for bounds that
/// are tensors or weights. Throws std::invalid_argument unless low <= high.
template <Numeric A>
auto clamp(const A& x, double low, double high) {
  detail::requireBounds("clamp", low, high);
  using T = detail::ElementOf<DataOf<A>>;
  return min(max(x, static_cast<T>(low)), static_cast<T>(high));
}

void clamp(...) = delete;  // expected a Differentiable scalar or tensor, and two numbers

}  // namespace tapestry
#pragma GCC visibility pop
