// Defines softmax, weights that are positive and add up to 1 along an axis.
#pragma once

#include <cstddef>

#include "tapestry/deeplearning/detail/shape_rules.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"
#include "tapestry/tensor/kernels/reduction.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// y = e^x / sum(e^x) along the axis, finite for all finite x; dx = y * (delta - sum(delta * y)). An x of
/// -inf has weight 0; if all x along the axis are -inf, or one is inf or NaN, there are no weights, and y is
/// NaN. ShapeError for an axis that x lacks.
auto softmax(const NumericTensor auto& x, std::ptrdiff_t axis = -1) {
  return unaryOperation<"softmax", Keep::output>(
      [axis](const auto& value) { return kernels::softmax(value, {axis}); },
      [axis](const auto& delta, const auto& y) {
        const auto total = kernels::sum(kernels::multiply(delta, y), {axis}, true);
        return kernels::multiply(kernels::subtract(delta, total), y);
      },
      detail::AlongAxis{axis})(x);
}

void softmax(...) = delete;  // expected a Differentiable tensor, and maybe an axis

}  // namespace tapestry
#pragma GCC visibility pop
