// Defines greater, greaterEqual, less, lessEqual, equal and notEqual, which compare elementwise, and their
// operators.
#pragma once

#include <utility>

#include "tapestry/deeplearning/detail/expects.hpp"
#include "tapestry/deeplearning/detail/unfit.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/comparison.hpp"

namespace tapestry {

namespace detail {

/// z = 1 where the comparison holds, else 0. No delta flows to the operands.
template <OperationName Name, class Forward>
constexpr auto comparison(Forward forward) {
  constexpr auto none = [](const auto&) { return NoDelta(); };
  return binaryOperation<Name, Keep::nothing>(std::move(forward), none, none);
}

/// What operator== and operator!= compare elementwise: two tensors are compared whole, for a bool.
template <class A, class B>
concept ComparedLayers =
    DifferentiablePair<A, B> && ((Numeric<A> && !isLiteral<A>) || (Numeric<B> && !isLiteral<B>));

}  // namespace detail

namespace operations {

inline constexpr auto greater =
    detail::comparison<"greater">([](const auto& x, const auto& y) { return kernels::greater(x, y); });
inline constexpr auto greaterEqual = detail::comparison<"greaterEqual">(
    [](const auto& x, const auto& y) { return kernels::greaterEqual(x, y); });
inline constexpr auto less =
    detail::comparison<"less">([](const auto& x, const auto& y) { return kernels::less(x, y); });
inline constexpr auto lessEqual =
    detail::comparison<"lessEqual">([](const auto& x, const auto& y) { return kernels::lessEqual(x, y); });
inline constexpr auto equal =
    detail::comparison<"equal">([](const auto& x, const auto& y) { return kernels::equal(x, y); });
inline constexpr auto notEqual =
    detail::comparison<"notEqual">([](const auto& x, const auto& y) { return kernels::notEqual(x, y); });

}  // namespace operations

// The operands broadcast. Each is 1 where it holds and 0 elsewhere, as C++ compares numbers: NaN differs from
// everything, and is neither less nor greater. No delta goes to the operands.

template <class A, class B>
  requires Meeting<A, B>
auto greater(const A& x, const B& y) {
  return operations::greater(x, y);
}
template <class A, class B>
  requires Meeting<A, B>
auto greaterEqual(const A& x, const B& y) {
  return operations::greaterEqual(x, y);
}
template <class A, class B>
  requires Meeting<A, B>
auto less(const A& x, const B& y) {
  return operations::less(x, y);
}
template <class A, class B>
  requires Meeting<A, B>
auto lessEqual(const A& x, const B& y) {
  return operations::lessEqual(x, y);
}
template <class A, class B>
  requires Meeting<A, B>
auto equal(const A& x, const B& y) {
  return operations::equal(x, y);
}
template <class A, class B>
  requires Meeting<A, B>
auto notEqual(const A& x, const B& y) {
  return operations::notEqual(x, y);
}

template <class = void>
detail::Misfit greater(detail::ExpectsNumbers<"greater">, detail::Misfit);
template <class = void>
detail::Misfit greaterEqual(detail::ExpectsNumbers<"greaterEqual">, detail::Misfit);
template <class = void>
detail::Misfit less(detail::ExpectsNumbers<"less">, detail::Misfit);
template <class = void>
detail::Misfit lessEqual(detail::ExpectsNumbers<"lessEqual">, detail::Misfit);
template <class = void>
detail::Misfit equal(detail::ExpectsNumbers<"equal">, detail::Misfit);
template <class = void>
detail::Misfit notEqual(detail::ExpectsNumbers<"notEqual">, detail::Misfit);

template <class A, class B>
  requires DifferentiablePair<A, B>
auto operator>(const A& a, const B& b) {
  return operations::greater(a, b);
}
template <class A, class B>
  requires DifferentiablePair<A, B>
auto operator>=(const A& a, const B& b) {
  return operations::greaterEqual(a, b);
}
template <class A, class B>
  requires DifferentiablePair<A, B>
auto operator<(const A& a, const B& b) {
  return operations::less(a, b);
}
template <class A, class B>
  requires DifferentiablePair<A, B>
auto operator<=(const A& a, const B& b) {
  return operations::lessEqual(a, b);
}
template <class A, class B>
  requires detail::ComparedLayers<A, B>
auto operator==(const A& a, const B& b) {
  return operations::equal(a, b);
}
template <class A, class B>
  requires detail::ComparedLayers<A, B>
auto operator!=(const A& a, const B& b) {
  return operations::notEqual(a, b);
}

template <detail::Operand A>
A operator>(const A& a, std::type_identity_t<detail::UnfitFor<A>>) {
  static_assert(
      detail::fits<A>,
      "tapestry::operator>: expected Differentiable operands, scalars or tensors, of one element type");
  return a;
}
template <detail::Operand B>
B operator>(std::type_identity_t<detail::NoOperand<B>>, const B& b) {
  static_assert(
      detail::fits<B>,
      "tapestry::operator>: expected Differentiable operands, scalars or tensors, of one element type");
  return b;
}
template <detail::Operand A>
A operator>=(const A& a, std::type_identity_t<detail::UnfitFor<A>>) {
  static_assert(
      detail::fits<A>,
      "tapestry::operator>=: expected Differentiable operands, scalars or tensors, of one element type");
  return a;
}
template <detail::Operand B>
B operator>=(std::type_identity_t<detail::NoOperand<B>>, const B& b) {
  static_assert(
      detail::fits<B>,
      "tapestry::operator>=: expected Differentiable operands, scalars or tensors, of one element type");
  return b;
}
template <detail::Operand A>
A operator<(const A& a, std::type_identity_t<detail::UnfitFor<A>>) {
  static_assert(
      detail::fits<A>,
      "tapestry::operator<: expected Differentiable operands, scalars or tensors, of one element type");
  return a;
}
template <detail::Operand B>
B operator<(std::type_identity_t<detail::NoOperand<B>>, const B& b) {
  static_assert(
      detail::fits<B>,
      "tapestry::operator<: expected Differentiable operands, scalars or tensors, of one element type");
  return b;
}
template <detail::Operand A>
A operator<=(const A& a, std::type_identity_t<detail::UnfitFor<A>>) {
  static_assert(
      detail::fits<A>,
      "tapestry::operator<=: expected Differentiable operands, scalars or tensors, of one element type");
  return a;
}
template <detail::Operand B>
B operator<=(std::type_identity_t<detail::NoOperand<B>>, const B& b) {
  static_assert(
      detail::fits<B>,
      "tapestry::operator<=: expected Differentiable operands, scalars or tensors, of one element type");
  return b;
}

}  // namespace tapestry
