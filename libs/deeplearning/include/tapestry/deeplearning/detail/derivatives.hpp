// Defines Computes and Derives, whether an operation has a forward and derivatives for data of given types,
// with the functions that fit data and deltas to what kernels and operands take.
#pragma once

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/deeplearning/detail/pack.hpp"
#include "tapestry/deeplearning/keep.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/broadcast.hpp"
#include "tapestry/tensor/shape.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Returns the value as an operand of a kernel on Out: scalars take the element type of the other operand.
template <class Out, class A>
decltype(auto) operandFor(const A& value) {
  if constexpr (std::floating_point<A> && std::floating_point<Out>)
    return static_cast<Out>(value);
  else
    return (value);
}

/// Returns a scalar that has met a tensor as a tensor.
template <class Delta, class V>
auto asOperandOf(const Delta&, const V& value) {
  if constexpr (isTensor<Delta> && !isTensor<V>)
    return Delta::scalar(static_cast<ElementOf<Delta>>(value));
  else
    return value;
}

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

/// The result of a derivative for an operand to which no delta flows.
struct NoDelta {};

/// Whether a derivative may return D for an operand of type A: a delta, its tensors, a scalar to spread, or
/// NoDelta.
template <class D, class A>
concept DerivativeOf =
    std::same_as<D, NoDelta> || std::same_as<D, DeltaOf<A>> || (Numbers<A> && Numbers<D>) ||
    (!Numbers<A> && (std::constructible_from<DeltaOf<A>, D> || hasParts<D>));

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

/// Returns a derivative as the delta of an operand of type A and of the given shape: summed where the operand
/// was broadcast, spread where it was reduced.
template <class A, class D>
DeltaOf<A> fitDelta(D delta, [[maybe_unused]] const Shape& shape) {
  if constexpr (!Numbers<A>)
    return deltaFrom<DeltaOf<A>>(std::move(delta));
  else if constexpr (OwnKernels<A> && std::same_as<D, A>)
    return delta.rank() < shape.rank() ? kernels::broadcastTo(delta, shape) : kernels::sumTo(delta, shape);
  else if constexpr (std::same_as<D, DeltaOf<A>>)
    return delta;
  else if constexpr (isTensor<A> && isTensor<D>)
    return kernels::sumTo(delta, shape);
  else if constexpr (isTensor<A>)
    return A::full(shape, static_cast<ElementOf<A>>(delta));
  else if constexpr (isHostTensor<D>)
    return static_cast<A>(kernels::sumTo(delta, Shape()).item());
  else if constexpr (OwnKernels<D>)
    throw std::logic_error(
        "tapestry::train: a scalar has met a tensor of a device, whose delta is not in host memory, expected "
        "a tensor of rank 0");
  else
    return static_cast<A>(delta);
}

/// Returns the sum or the mean of a tensor as a loss: as a double, or as a tensor of another library, whose
/// elements are not in host memory.
inline double lossOf(std::floating_point auto value) noexcept { return value; }
template <OwnKernels X>
X lossOf(X value) {
  return value;
}

/// Returns the delta of a mean divided by the number of terms.
inline double shareOf(double delta, std::size_t terms) noexcept { return delta / static_cast<double>(terms); }
template <OwnKernels X>
X shareOf(const X& delta, std::size_t terms) {
  return kernels::divide(delta, static_cast<typename X::Value>(terms));
}

/// Returns a tensor of type X and of the shape, all of whose elements are the delta.
template <class X>
X spreadLike(const X&, double delta, const Shape& shape) {
  return X::full(shape, static_cast<ElementOf<X>>(delta));
}
template <OwnKernels X>
X spreadLike(const X&, const X& delta, const Shape& shape) {
  return kernels::broadcastTo(delta, shape);
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
