// Defines avgPool2d, the mean of each window of a plane.
#pragma once

#include "tapestry/deeplearning/detail/shape_rules.hpp"
#include "tapestry/deeplearning/operation.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// As `maxPool2d`, with the mean of each window instead of the largest element; each element gets its share
/// of the delta of each window that covers it. The padding counts as zeros, so that all sums are divided by
/// the window's size; the mean without it is avgPool2d(x, pooling) / avgPool2d(ones, pooling).
auto avgPool2d(const NumericTensor auto& x, const kernels::Pooling& pooling) {
  pooling.requireValid("avgPool2d");
  return unaryOperation<"avgPool2d", Keep::shapes>(
      [=](const auto& value) { return kernels::avgPool(value, pooling); },
      [=](const auto& delta, const Shape& from) { return kernels::avgPoolDerivative(delta, from, pooling); },
      detail::PooledShapes{pooling})(x);
}

void avgPool2d(...) = delete;  // expected a Differentiable tensor, and a window such as {.window = 2}

}  // namespace tapestry
#pragma GCC visibility pop
