// Defines elu, the elementwise rectifier that approaches -alpha exponentially.
#pragma once

#include "tapestry/deeplearning/operations/add.hpp"
#include "tapestry/deeplearning/operations/expm1.hpp"
#include "tapestry/deeplearning/operations/max.hpp"
#include "tapestry/deeplearning/operations/min.hpp"
#include "tapestry/deeplearning/operations/multiply.hpp"

namespace tapestry {

/// y = max(x, 0) + alpha * (e^min(x, 0) - 1); dy/dx = 1 where x > 0, alpha * e^x where x < 0, and the mean of
/// 1 and alpha at 0.
template <Numeric A>
auto elu(const A& x, double alpha = 1) {
  using T = detail::ElementOf<DataOf<A>>;
  return max(x, T(0)) + static_cast<T>(alpha) * expm1(min(x, T(0)));
}

}  // namespace tapestry
