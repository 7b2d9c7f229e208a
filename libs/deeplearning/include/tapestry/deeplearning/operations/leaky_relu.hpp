// Defines leakyRelu, the elementwise rectifier that lets some of the negative through.
#pragma once

#include "tapestry/deeplearning/operations/add.hpp"
#include "tapestry/deeplearning/operations/max.hpp"
#include "tapestry/deeplearning/operations/min.hpp"
#include "tapestry/deeplearning/operations/multiply.hpp"

namespace tapestry {

/// y = max(x, 0) + slope * min(x, 0); dy/dx = 1 where x > 0, slope where x < 0, and their mean at 0. Write
/// the formula for a slope that is learnt.
template <Numeric A>
auto leakyRelu(const A& x, double slope) {
  using T = detail::ElementOf<DataOf<A>>;
  return max(x, T(0)) + static_cast<T>(slope) * min(x, T(0));
}

}  // namespace tapestry
