// Defines sum, the sum of the elements of a tensor or of a range of differentiables.
#pragma once

#include "tapestry/deeplearning/detail/node/linear_combination.hpp"
#include "tapestry/deeplearning/detail/shape_rules.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/reduction.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace operations {

/// y = sum of all x; dy/dx = 1.
inline constexpr auto sum = unaryOperation<"sum", Keep::nothing, ToScalar>(
    [](const detail::Numbers auto& x) { return detail::lossOf(kernels::sum(x)); },
    [](const auto& delta) { return delta; });

}  // namespace operations

/// The sum of all elements, a double; of a tensor of another library a tensor of rank 0.
auto sum(const Numeric auto& x) { return operations::sum(x); }

/// The sum along the axes, which the result lacks or, with `keepDims`, has with extent 1; the delta is spread
/// along them. ShapeError for an axis that x lacks or that is chosen twice.
auto sum(const NumericTensor auto& x, const Axes& axes, bool keepDims = false) {
  return unaryOperation<"sum", Keep::shapes>(
      [=](const auto& value) { return kernels::sum(value, axes, keepDims); },
      [=](const auto& delta, const Shape& from) { return detail::spreadReduced(delta, from, axes, "sum"); },
      detail::ReducedShapes{axes, keepDims})(x);
}

/// The sum of a range of layers of one type, which are evaluated in parallel. Throws std::invalid_argument
/// for an empty range. All tensors must have one shape, else ShapeError, at the call if the shapes are known
/// by then.
auto sum(const detail::LayerRange auto& layers) { return detail::linearCombination("sum", layers, 1); }

void sum(...) = delete;  // expected a Differentiable scalar or tensor, a tensor and Axes, or a range

}  // namespace tapestry
#pragma GCC visibility pop
