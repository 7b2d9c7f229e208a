// Defines norm, the Euclidean length.
#pragma once

#include "tapestry/deeplearning/detail/shape_rules.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"
#include "tapestry/tensor/kernels/reduction.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

template <class X>
  requires isTensor<X>
X norm(const X& x, const Axes& axes, bool keepDims) {
  static_cast<void>(axes.resolve(x.shape(), "norm"));
  return kernels::sqrt(X(kernels::sum(kernels::multiply(x, x), axes, keepDims)));
}
template <class X>
  requires isTensor<X>
X normDerivative(const X& delta, const X& x, const Axes& axes) {
  const X length = detail::norm(x, axes, true), kept = withReducedAxes(delta, x.shape(), axes, "norm");
  return kernels::multiply(x, kernels::where(length, kernels::divide(kept, length)));
}

}  // namespace detail

/// y = sqrt(sum(x^2)) along the axes; dy/dx = x / y, and 0 where y is 0. Axes as for `sum`. Squares of large
/// elements may overflow.
auto norm(const NumericTensor auto& x, const Axes& axes, bool keepDims = false) {
  return unaryOperation<"norm", Keep::operands>(
      [=](const auto& value) { return detail::norm(value, axes, keepDims); },
      [=](const auto& delta, const auto& value) { return detail::normDerivative(delta, value, axes); },
      detail::ReducedShapes{axes, keepDims})(x);
}

/// The length of all elements as one vector, a double.
auto norm(const NumericTensor auto& x) { return sum(norm(x, Axes::all())); }

void norm(...) = delete;  // expected a Differentiable tensor, and maybe Axes

}  // namespace tapestry
#pragma GCC visibility pop
