// Defines operator*, the elementwise product.
#pragma once

#include "tapestry/deeplearning/detail/unfit.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"

namespace tapestry {

namespace operations {

/// z = x * y; dz/dx = y, dz/dy = x.
inline constexpr auto multiply = binaryOperation<"multiply", Keep::operands>(
    [](const auto& x, const auto& y) { return kernels::multiply(x, y); },
    [](const auto& delta, const auto&, const auto& y) { return kernels::multiply(delta, y); },
    [](const auto& delta, const auto& x, const auto&) { return kernels::multiply(delta, x); });

}  // namespace operations

template <class A, class B>
  requires DifferentiablePair<A, B>
auto operator*(const A& a, const B& b) {
  return operations::multiply(a, b);
}

template <detail::Operand A>
A operator*(const A& a, std::type_identity_t<detail::UnfitFor<A>>) {
  static_assert(
      detail::fits<A>,
      "tapestry::operator*: expected Differentiable operands, scalars or tensors, of one element type");
  return a;
}
template <detail::Operand B>
B operator*(std::type_identity_t<detail::NoOperand<B>>, const B& b) {
  static_assert(
      detail::fits<B>,
      "tapestry::operator*: expected Differentiable operands, scalars or tensors, of one element type");
  return b;
}

}  // namespace tapestry
