// Defines Computes and Derives, whether an operation has a forward and derivatives for data of given types.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "tapestry/deeplearning/detail/pack.hpp"
#include "tapestry/deeplearning/detail/value.hpp"
#include "tapestry/deeplearning/keep.hpp"
#include "tapestry/tensor/shape.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The type that the scalars among an operation's operands take: for two operands, the element type of the
/// tensor, or the wider type of two scalars. A single operand, and three operands, keep their types.
template <class... As>
struct MeetingElement {
  using Type = void;
};
template <class A, class B>
struct MeetingElement<A, B> {
  using Type = std::conditional_t<isTensor<B>, ElementOf<B>, ElementOf<A>>;
};
template <std::floating_point A, std::floating_point B>
struct MeetingElement<A, B> {
  using Type = std::common_type_t<A, B>;
};

/// Returns the result of the operation on the operands' data.
template <class Op, class... As>
auto applyForward(const Op& operation, const As&... operands) {
  return operation.forward(operandFor<typename MeetingElement<As...>::Type>(operands)...);
}

/// Whether the operation's forward takes the data of all operands, and returns a value.
template <class Op, class... As>
concept Computes = requires(const Op& operation, const As&... operands) {
  operation.forward(operandFor<typename MeetingElement<As...>::Type>(operands)...);
  requires !std::is_void_v<decltype(operation.forward(
      operandFor<typename MeetingElement<As...>::Type>(operands)...))>;
};

template <class Op, class... As>
using ForwardOf = decltype(applyForward(std::declval<const Op&>(), std::declval<const As&>()...));

/// The type of the delta that a derivative gets: the derivative of a single operand may consume it.
template <class Op, class... As>
using DeltaArgument = std::conditional_t<sizeof...(As) == 1, DenseOf<ForwardOf<Op, As...>>&&,
                                         const DenseOf<ForwardOf<Op, As...>>&>;
template <class>
using ShapeArgument = const Shape&;

/// Whether F, in the form that the operation's Keep requires, returns the delta of the operand To.
template <class Op, class F, class To, class... As>
concept DerivativeFor = requires(const F& function, DeltaArgument<Op, As...> delta,
                                 const ForwardOf<Op, As...>& result, const As&... operands) {
  requires Op::kept != Keep::nothing || requires {
    { function(std::forward<DeltaArgument<Op, As...>>(delta)) } -> DerivativeOf<To>;
  };
  requires Op::kept != Keep::output || requires {
    { function(std::forward<DeltaArgument<Op, As...>>(delta), result) } -> DerivativeOf<To>;
  };
  requires Op::kept != Keep::operands || requires {
    {
      function(std::forward<DeltaArgument<Op, As...>>(delta),
               operandFor<typename MeetingElement<As...>::Type>(operands)...)
    } -> DerivativeOf<To>;
  };
  requires Op::kept != Keep::shapes || requires {
    {
      function(std::forward<DeltaArgument<Op, As...>>(delta), std::declval<ShapeArgument<As>>()...)
    } -> DerivativeOf<To>;
  };
};

/// A function that gives the deltas of all operands at once: all(delta, wanted, operands...), a std::array,
/// of which only those are used that are wanted.
template <class F>
struct AllDerivatives {
  [[no_unique_address]] F all;
};
template <class>
inline constexpr bool derivesAll = false;
template <class Indices, class F>
inline constexpr bool derivesAll<PackOf<Indices, AllDerivatives<F>>> = true;

template <class Op>
concept DerivesAll = requires { requires derivesAll<decltype(Op::derivatives)>; };

template <class Op, class Derivatives, class... As>
inline constexpr bool hasDerivatives = derivesAll<Derivatives>;
template <class Op, class Indices, class... Derivatives, class... As>
  requires(sizeof...(Derivatives) == sizeof...(As) && !derivesAll<PackOf<Indices, Derivatives...>>)
inline constexpr bool hasDerivatives<Op, PackOf<Indices, Derivatives...>, As...> =
    (... && DerivativeFor<Op, Derivatives, As, As...>);

/// Whether the operation has a forward for the data of all operands, and a derivative for each.
template <class Op, class... As>
concept Derives = Computes<Op, As...> && hasDerivatives<Op, decltype(Op::derivatives), As...>;

}  // namespace tapestry::detail
#pragma GCC visibility pop
