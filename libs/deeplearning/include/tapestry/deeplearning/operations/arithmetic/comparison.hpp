// Defines greater, greaterEqual, less, lessEqual, equal and notEqual, which compare elementwise, and their
// operators.
#pragma once

#include <utility>

#include "tapestry/deeplearning/detail/unfit.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/comparison.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// z = 1 where the comparison holds, else 0. No delta flows to the operands.
template <OperationName Name, class Forward>
constexpr auto comparison(Forward forward) {
  constexpr auto none = [](const auto&) { return NoDelta(); };
  return binaryOperation<Name, Keep::nothing>(std::move(forward), none, none);
}

/// Operands that operator== and operator!= compare elementwise; two tensors are compared as a whole, for a
/// bool.
template <class A, class B>
concept ComparedLayers =
    DifferentiablePair<A, B> && ((Numeric<A> && !isLiteral<A>) || (Numeric<B> && !isLiteral<B>));

}  // namespace detail

namespace operations {

/// The operations of the functions below.
inline constexpr auto greater = detail::comparison<"greater">(
    []<class X>(const X& x, const Meeting<X> auto& y) { return kernels::greater(x, y); });
inline constexpr auto greaterEqual = detail::comparison<"greaterEqual">(
    []<class X>(const X& x, const Meeting<X> auto& y) { return kernels::greaterEqual(x, y); });
inline constexpr auto less = detail::comparison<"less">(
    []<class X>(const X& x, const Meeting<X> auto& y) { return kernels::less(x, y); });
inline constexpr auto lessEqual = detail::comparison<"lessEqual">(
    []<class X>(const X& x, const Meeting<X> auto& y) { return kernels::lessEqual(x, y); });
inline constexpr auto equal = detail::comparison<"equal">(
    []<class X>(const X& x, const Meeting<X> auto& y) { return kernels::equal(x, y); });
inline constexpr auto notEqual = detail::comparison<"notEqual">(
    []<class X>(const X& x, const Meeting<X> auto& y) { return kernels::notEqual(x, y); });

}  // namespace operations

/// The operands broadcast. A result is 1 where the comparison holds, else 0, as C++ compares numbers: NaN
/// differs from everything, and is neither less nor greater. No delta flows to the operands.
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

void greater(...) = delete;       // expected Differentiable scalars or tensors of one element type
void greaterEqual(...) = delete;  // expected Differentiable scalars or tensors of one element type
void less(...) = delete;          // expected Differentiable scalars or tensors of one element type
void lessEqual(...) = delete;     // expected Differentiable scalars or tensors of one element type
void equal(...) = delete;         // expected Differentiable scalars or tensors of one element type
void notEqual(...) = delete;      // expected Differentiable scalars or tensors of one element type

/// The same as `greater`, `greaterEqual`, `less`, `lessEqual`, `equal` and `notEqual`.
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

template <class = void>
void operator>(  // expected Differentiable operands, scalars or tensors, of one element type
    detail::AnyOperand, detail::Unfit) = delete;
template <class = void>
void operator>(  // expected Differentiable operands, scalars or tensors, of one element type
    detail::NoOperand, detail::AnyOperand) = delete;
template <class = void>
void operator>=(  // expected Differentiable operands, scalars or tensors, of one element type
    detail::AnyOperand, detail::Unfit) = delete;
template <class = void>
void operator>=(  // expected Differentiable operands, scalars or tensors, of one element type
    detail::NoOperand, detail::AnyOperand) = delete;
template <class = void>
void operator<(  // expected Differentiable operands, scalars or tensors, of one element type
    detail::AnyOperand, detail::Unfit) = delete;
template <class = void>
void operator<(  // expected Differentiable operands, scalars or tensors, of one element type
    detail::NoOperand, detail::AnyOperand) = delete;
template <class = void>
void operator<=(  // expected Differentiable operands, scalars or tensors, of one element type
    detail::AnyOperand, detail::Unfit) = delete;
template <class = void>
void operator<=(  // expected Differentiable operands, scalars or tensors, of one element type
    detail::NoOperand, detail::AnyOperand) = delete;
template <class = void>
bool operator==(  // expected a layer or weight, and what it can meet, or two tensors of one type
    detail::AnyOperand, detail::Unfit) = delete;
template <class = void>
bool operator==(  // expected a layer or weight, and what it can meet, or two tensors of one type
    detail::NoOperand, detail::AnyOperand) = delete;
template <class = void>
bool operator!=(  // expected a layer or weight, and what it can meet, or two tensors of one type
    detail::AnyOperand, detail::Unfit) = delete;
template <class = void>
bool operator!=(  // expected a layer or weight, and what it can meet, or two tensors of one type
    detail::NoOperand, detail::AnyOperand) = delete;

}  // namespace tapestry
#pragma GCC visibility pop
