// Defines greater, greaterEqual, less, lessEqual, equal and notEqual, which compare elementwise, and their
// operators.
#pragma once

#include <utility>

#include "tapestry/deeplearning/numeric.hpp"
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

// Defines the operation, the function and the operator, for Operands. The operands broadcast. A result is 1
// where the comparison holds, else 0, as C++ compares numbers: NaN differs from everything, and is neither
// less nor greater. No delta flows to the operands.
#define TAPESTRY_COMPARISON(name, symbol, Operands)                                       \
  namespace operations {                                                                  \
  inline constexpr auto name = detail::comparison<#name>(                                 \
      []<class X>(const X& x, const Meeting<X> auto& y) { return kernels::name(x, y); }); \
  }                                                                                       \
  template <class A>                                                                      \
  auto name(const A& x, const Meeting<A> auto& y) {                                       \
    return operations::name(x, y);                                                        \
  }                                                                                       \
  template <class A>                                                                      \
  auto operator symbol(const A& a, const Operands<A> auto& b) {                           \
    return operations::name(a, b);                                                        \
  }

TAPESTRY_COMPARISON(greater, >, DifferentiablePair)
TAPESTRY_COMPARISON(greaterEqual, >=, DifferentiablePair)
TAPESTRY_COMPARISON(less, <, DifferentiablePair)
TAPESTRY_COMPARISON(lessEqual, <=, DifferentiablePair)
TAPESTRY_COMPARISON(equal, ==, detail::ComparedLayers)
TAPESTRY_COMPARISON(notEqual, !=, detail::ComparedLayers)
#undef TAPESTRY_COMPARISON

void greater(...) = delete;       // expected Differentiable scalars or tensors of one element type
void greaterEqual(...) = delete;  // expected Differentiable scalars or tensors of one element type
void less(...) = delete;          // expected Differentiable scalars or tensors of one element type
void lessEqual(...) = delete;     // expected Differentiable scalars or tensors of one element type
void equal(...) = delete;         // expected Differentiable scalars or tensors of one element type
void notEqual(...) = delete;      // expected Differentiable scalars or tensors of one element type

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
