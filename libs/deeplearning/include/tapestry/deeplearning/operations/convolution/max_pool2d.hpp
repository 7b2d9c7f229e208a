// Defines maxPool2d, the largest element in each window of a plane.
#pragma once

#include "tapestry/deeplearning/detail/shape_rules.hpp"
#include "tapestry/deeplearning/operation.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// y[..., i, j] = max of x[..., i * stride + p - padding, the same of j] over p in 0 .. window - 1, as far as
/// it is within x [..., H, W]; y is [..., (H + 2 padding - window) / stride + 1, the same of W], rounded
/// down. y is NaN if an element of the window is NaN. Equal maxima share the window's delta, as in `max`. The
/// stride is the window unless it is given. Window, stride and padding are one number, or {for the height,
/// for the width}. ShapeError for a window that does not fit, std::invalid_argument for a window without
/// elements and for a padding that could fill it.
auto maxPool2d(const NumericTensor auto& x, const kernels::Pooling& pooling) {
  pooling.requireValid("maxPool2d");
  return unaryOperation<"maxPool2d", Keep::operands>(
      [=](const auto& value) { return kernels::maxPool(value, pooling); },
      [=](const auto& delta, const auto& value) { return kernels::maxPoolDerivative(delta, value, pooling); },
      detail::PooledShapes{pooling})(x);
}

void maxPool2d(...) = delete;  // expected a Differentiable tensor, and a window such as {.window = 2}

}  // namespace tapestry
#pragma GCC visibility pop
