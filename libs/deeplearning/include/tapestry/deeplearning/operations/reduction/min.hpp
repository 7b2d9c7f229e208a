// Defines min, the elementwise minimum, and the smallest elements along axes.
#pragma once

#include "tapestry/deeplearning/detail/shape_rules.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/derivative.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"
#include "tapestry/tensor/kernels/reduction.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace operations {

/// z = min(x, y), NaN if either is; the delta goes to the smaller operand, and half to each where they are
/// equal: each operand gets the part that max would pass to the other.
inline constexpr auto min = binaryOperation<"min", Keep::operands>(
    []<class X>(const X& x, const Meeting<X> auto& y) { return kernels::minimum(x, y); },
    [](const auto& delta, const auto& x, const auto& y) {
      return kernels::maximumDerivativeLeft(delta, detail::asOperandOf(delta, y),
                                            detail::asOperandOf(delta, x));
    },
    [](const auto& delta, const auto& x, const auto& y) {
      return kernels::maximumDerivativeLeft(delta, detail::asOperandOf(delta, x),
                                            detail::asOperandOf(delta, y));
    });

}  // namespace operations

template <class A>
auto min(const A& x, const Meeting<A> auto& y) {
  return operations::min(x, y);
}

/// The smallest elements along the axes, NaN if any element is NaN; equal minima share the delta equally.
/// Axes as for `sum`; also ShapeError if there are no elements to choose from.
auto min(const NumericTensor auto& x, const Axes& axes, bool keepDims = false) {
  return unaryOperation<"min", Keep::operands>(
      [=](const auto& value) {
        return kernels::negate(kernels::max(kernels::negate(value), axes, keepDims, "min"));
      },
      [=](const auto& delta, const auto& value) {
        return kernels::maxDerivative(delta, kernels::negate(value), axes);
      },
      detail::ReducedShapes{axes, keepDims})(x);
}

/// The smallest of all elements, a double.
auto min(const NumericTensor auto& x) { return sum(min(x, Axes::all())); }

void min(...) = delete;  // expected Differentiable scalars or tensors of one element type, or one with Axes

}  // namespace tapestry
#pragma GCC visibility pop
