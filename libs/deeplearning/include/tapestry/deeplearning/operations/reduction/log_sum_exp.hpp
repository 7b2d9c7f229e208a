// Defines logSumExp, the logarithm of a sum of exponentials.
#pragma once

#include "tapestry/deeplearning/detail/shape_rules.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"
#include "tapestry/tensor/kernels/reduction.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// y = log(sum(e^x)) along the axes, finite for all finite x; dy/dx = e^(x - y), the softmax. -inf for no
/// elements, and if all are -inf, where the softmax is NaN. Axes as for `sum`.
auto logSumExp(const NumericTensor auto& x, const Axes& axes, bool keepDims = false) {
  return unaryOperation<"logSumExp", Keep::operands>(
      [=](const auto& value) { return kernels::logSumExp(value, axes, keepDims); },
      [=](const auto& delta, const auto& value) {
        const auto kept = detail::withReducedAxes(delta, value.shape(), axes, "logSumExp");
        return kernels::multiply(kernels::softmax(value, axes), kept);
      },
      detail::ReducedShapes{axes, keepDims})(x);
}

/// The same over all elements, a double.
auto logSumExp(const NumericTensor auto& x) { return sum(logSumExp(x, Axes::all())); }

void logSumExp(...) = delete;  // expected a Differentiable tensor, and maybe Axes

}  // namespace tapestry
#pragma GCC visibility pop
