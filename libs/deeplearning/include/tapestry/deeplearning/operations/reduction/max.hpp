// Defines max, the elementwise maximum, and the largest elements along axes.
#pragma once

#include "tapestry/deeplearning/detail/shape_rules.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/derivative.hpp"
#include "tapestry/tensor/kernels/reduction.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace operations {

/// z = max(x, y); the delta goes to the larger operand, and half to each where they are equal.
inline constexpr auto max = binaryOperation<"max", Keep::operands>(
    []<class X>(const X& x, const Meeting<X> auto& y) { return kernels::maximum(x, y); },
    [](const auto& delta, const auto& x, const auto& y) {
      return kernels::maximumDerivativeLeft(delta, detail::asOperandOf(delta, x),
                                            detail::asOperandOf(delta, y));
    },
    [](const auto& delta, const auto& x, const auto& y) {
      return kernels::maximumDerivativeLeft(delta, detail::asOperandOf(delta, y),
                                            detail::asOperandOf(delta, x));
    });

}  // namespace operations

template <class A>
auto max(const A& x, const Meeting<A> auto& y) {
  return operations::max(x, y);
}

/// The largest elements along the axes, NaN if any element is NaN; equal maxima share the delta equally. Axes
/// as for `sum`; also ShapeError if there are no elements to choose from.
auto max(const NumericTensor auto& x, const Axes& axes, bool keepDims = false) {
  return unaryOperation<"max", Keep::operands>(
      [=](const auto& value) { return kernels::max(value, axes, keepDims); },
      [=](const auto& delta, const auto& value) { return kernels::maxDerivative(delta, value, axes); },
      detail::ReducedShapes{axes, keepDims})(x);
}

/// The largest of all elements, a double.
auto max(const NumericTensor auto& x) { return sum(max(x, Axes::all())); }

void max(...) = delete;  // expected Differentiable scalars or tensors of one element type, or one with Axes

}  // namespace tapestry
#pragma GCC visibility pop
