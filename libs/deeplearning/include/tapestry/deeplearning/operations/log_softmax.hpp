// Defines logSoftmax, the logarithm of softmax.
#pragma once

#include <cstddef>

#include "tapestry/deeplearning/operations/log_sum_exp.hpp"
#include "tapestry/deeplearning/operations/subtract.hpp"

namespace tapestry {

/// x - logSumExp(x) along the axis, finite for all finite x. ShapeError for an axis that x lacks.
template <Numeric A>
  requires detail::isTensor<DataOf<A>>
auto logSoftmax(const A& x, std::ptrdiff_t axis = -1) {
  return x - logSumExp(x, {axis}, true);
}

}  // namespace tapestry
