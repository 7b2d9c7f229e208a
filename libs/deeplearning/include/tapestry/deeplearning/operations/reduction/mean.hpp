// Defines mean, the mean of the elements of a tensor or of a range of differentiables.
#pragma once

#include <iterator>

#include "tapestry/deeplearning/detail/node/linear_combination.hpp"
#include "tapestry/deeplearning/detail/shape_rules.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/reduction.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace operations {

/// y = sum of all n elements of x, divided by n; dy/dx = 1 / n.
inline constexpr auto mean = unaryOperation<"mean", Keep::shapes, ToScalar>(
    [](const detail::Numbers auto& x) { return detail::lossOf(kernels::mean(x)); },
    [](const auto& delta, const Shape& shape) { return detail::shareOf(delta, shape.size()); });

}  // namespace operations

/// The mean of all elements, as the sum of all elements; NaN for no elements.
auto mean(const Numeric auto& x) { return operations::mean(x); }

/// The mean along the axes, as the sum along them; NaN for no elements.
auto mean(const NumericTensor auto& x, const Axes& axes, bool keepDims = false) {
  return unaryOperation<"mean", Keep::shapes>(
      [=](const auto& value) { return kernels::mean(value, axes, keepDims); },
      [=](const auto& delta, const Shape& from) {
        using T = typename std::remove_cvref_t<decltype(delta)>::Value;
        const auto terms = static_cast<T>(from.size()) / static_cast<T>(delta.size());
        return detail::spreadReduced(kernels::divide(delta, terms), from, axes, "mean");
      },
      detail::ReducedShapes{axes, keepDims})(x);
}

/// The mean of a range of layers of one type, which are evaluated in parallel. Throws std::invalid_argument
/// for an empty range. All tensors must have one shape, else ShapeError, at the call if the shapes are known
/// by then.
auto mean(const detail::LayerRange auto& layers) {
  return detail::linearCombination("mean", layers, 1 / static_cast<double>(std::ranges::distance(layers)));
}

void mean(...) = delete;  // expected a Differentiable scalar or tensor, a tensor and Axes, or a range

}  // namespace tapestry
#pragma GCC visibility pop
