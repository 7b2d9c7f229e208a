// Defines logSoftmax, the logarithm of softmax.
#pragma once

#include <cstddef>

#include "tapestry/deeplearning/numeric.hpp"
#include "tapestry/deeplearning/operations/activation/softmax.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// y = x - log(sum(e^x)) along the axis; dx = delta - e^y * sum(delta). For finite x, y is finite or, where
/// its type has no number so low, -inf: of the floats {3e38, -3e38} it is {0, -inf}. An x of -inf stays -inf;
/// y is NaN where softmax is NaN. ShapeError for an axis that x lacks.
auto logSoftmax(const NumericTensor auto& x, std::ptrdiff_t axis = -1) {
  return unaryOperation<"logSoftmax", Keep::output>(
      [axis](const auto& value) { return kernels::logSoftmax(value, {axis}); },
      [axis](const auto& delta, const auto& y) {
        const auto total = kernels::sum(delta, {axis}, true);
        return kernels::subtract(delta, kernels::multiply(kernels::exp(y), total));
      },
      detail::AlongAxis{axis})(x);
}

void logSoftmax(...) = delete;  // expected a Differentiable tensor, and maybe an axis

}  // namespace tapestry
#pragma GCC visibility pop
