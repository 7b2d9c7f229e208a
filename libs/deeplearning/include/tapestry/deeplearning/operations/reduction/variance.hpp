// Defines variance, the mean square of the distance from the mean.
#pragma once

#include "tapestry/deeplearning/numeric.hpp"
#include "tapestry/deeplearning/operations/arithmetic/multiply.hpp"
#include "tapestry/deeplearning/operations/arithmetic/subtract.hpp"
#include "tapestry/deeplearning/operations/reduction/mean.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// mean((x - mean(x))^2) along the axes, divided by their size n and not n - 1; NaN for no elements. Axes as
/// for `sum`.
auto variance(const NumericTensor auto& x, const Axes& axes, bool keepDims = false) {
  const auto distance = x - mean(x, axes, true);
  return mean(distance * distance, axes, keepDims);
}

/// The variance of all elements, a double.
auto variance(const NumericTensor auto& x) { return sum(variance(x, Axes::all())); }

void variance(...) = delete;  // expected a Differentiable tensor, and maybe Axes

}  // namespace tapestry
#pragma GCC visibility pop
