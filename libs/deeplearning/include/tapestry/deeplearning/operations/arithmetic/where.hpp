// Defines where, the elementwise choice between two operands.
#pragma once

#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// The attributes of a part of where.
template <OperationName Part>
struct WhereShapes : Elementwise {
  static extend::Attributes attributes() { return {{"part", std::string(Part.view())}}; }
};

/// z = x where the condition is not 0, else 0; dz/dx = 1 there, else 0.
inline constexpr auto whereTrue = binaryOperation<"where", Keep::operands, WhereShapes<"true">>(
    [](const auto& condition, const auto& x) { return kernels::where(condition, x); },
    [](const auto&, const auto&, const auto&) { return NoDelta(); },
    [](const auto& delta, const auto& condition, const auto&) { return kernels::where(condition, delta); });

/// z = x where the condition is 0, else 0; dz/dx = 1 there, else 0.
inline constexpr auto whereFalse = binaryOperation<"where", Keep::operands, WhereShapes<"false">>(
    [](const auto& condition, const auto& x) { return kernels::unless(condition, x); },
    [](const auto&, const auto&, const auto&) { return NoDelta(); },
    [](const auto& delta, const auto& condition, const auto&) { return kernels::unless(condition, delta); });

/// z = x + y, where x or y is 0; dz/dx = dz/dy = 1.
inline constexpr auto whereEither = binaryOperation<"where", Keep::nothing, WhereShapes<"either">>(
    [](const auto& x, const auto& y) {
      broadcast(kernels::shapeOf(x), kernels::shapeOf(y), "where");  // else the error would name add
      return kernels::add(x, y);
    },
    [](const auto& delta) { return delta; }, [](const auto& delta) { return delta; });

}  // namespace detail

/// z = x where the condition is not 0, else y; the delta goes to the chosen operand, and none to the
/// condition. Elements that are not chosen may be infinite or NaN; a condition of NaN chooses x. All three
/// broadcast together, else ShapeError. A whole number takes the element type of the operand that it meets,
/// two whole numbers that of the condition: where(layer, 1, 0).
template <class C, class A, class B>
  requires Meeting<C, A> && Meeting<C, B> &&
           (Meeting<A, B> || (detail::WholeNumber<A> && detail::WholeNumber<B>))
auto where(const C& condition, const A& x, const B& y) {
  return detail::whereEither(detail::whereTrue(condition, x), detail::whereFalse(condition, y));
}

void where(...) = delete;  // expected Differentiable scalars or tensors of one element type

}  // namespace tapestry
#pragma GCC visibility pop
