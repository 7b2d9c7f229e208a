// Defines unaryOperation, binaryOperation and ternaryOperation, which make a differentiable operation from a
// forward function and its derivatives.
#pragma once

#include <array>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tapestry/deeplearning/detail/node/operation_node.hpp"
#include "tapestry/deeplearning/detail/operation_name.hpp"
#include "tapestry/deeplearning/detail/pack.hpp"
#include "tapestry/deeplearning/numeric.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

// A rule for shapes has of(name, shapes of the operands...), which returns the result's shape, or throws
// ShapeError for operands that do not fit. It is called before a network runs if the shapes are known by
// then. It may have cost(pointers to the shapes...), an estimate of forward and backward in ns, and
// requireSome(name, pointers to the shapes...), which throws ShapeError if the known shapes do not fit each
// other; the pointers to unknown shapes are null. For graphs: attributes(), multiplications(shapes...).

/// The shape of the result of an elementwise operation: the shape that its operands broadcast to.
struct Elementwise {
  /// Throws ShapeError, naming the operation, if the operands do not broadcast.
  static Shape of(std::string_view, const Shape& a) { return a; }
  template <class... More>
  static Shape of(std::string_view name, const Shape& a, const Shape& b, const More&... more) {
    return of(name, broadcast(a, b, name), more...);
  }
};

/// The shape of a result that is a scalar.
struct ToScalar {
  /// Returns [], for operands of any shapes.
  static Shape of(std::string_view, const auto&...) noexcept { return {}; }
};

namespace detail {

struct AnyCall {
  void operator()();
};
/// Its call operator is ambiguous if F has one, too.
template <class F>
struct CallOf : F, AnyCall {};

/// Whether F is a pointer to a function, or a class with a call operator. The operands that a generic lambda
/// takes are not known before it is called. A final class is taken to have a call operator.
template <class F>
concept FunctionObject =
    std::is_function_v<std::remove_pointer_t<F>> ||
    (std::is_class_v<F> && (std::is_final_v<F> || !requires { &CallOf<F>::operator(); }));

template <class... As>
concept AllDifferentiable = (... && Differentiable<As>);
template <class... As>
inline constexpr bool areLiterals = (... && isLiteral<As>);

/// Whether the operation computes the data of literals, or has derivatives for the data of these operands.
template <class Op, class... As>
concept OperandsOf = AllDifferentiable<As...> &&
                     ((areLiterals<As...> && Computes<Op, DataOf<As>...>) || Derives<Op, DataOf<As>...>);
/// Whether only the form of the derivatives is wrong.
template <class Op, Keep keep, class... As>
concept Underived =
    Op::kept == keep && AllDifferentiable<As...> && !OperandsOf<Op, As...> && Computes<Op, DataOf<As>...>;

/// Returns the layer of an operation on operands.
template <class Op, class... As>
auto operationLayer(Op operation, const As&... operands) {
  using Own = OperationNode<Op, DataOf<As>...>;
  return Layer<typename Own::Data>(makeRef<Own>(std::move(operation), std::array{nodeOf(operands)...}));
}

}  // namespace detail

/// An operation: a forward, and a derivative for each operand. Its objects are called with the operands.
template <OperationName Name, Keep keep, class ShapeRule, class Forward, class... Derivatives>
struct Operation {
  static constexpr std::string_view name = Name.view();
  static constexpr Keep kept = keep;
  [[no_unique_address]] Forward forward;
  [[no_unique_address]] detail::Pack<Derivatives...> derivatives;
  [[no_unique_address]] ShapeRule shapes;

  /// Returns the value, computed at once, if all operands are literals, else a layer.
  template <class... As>
    requires detail::OperandsOf<Operation, As...>
  auto operator()(const As&... operands) const& {
    return Operation(*this)(operands...);
  }
  /// Moves the values that the operation holds into the layer.
  template <class... As>
    requires detail::OperandsOf<Operation, As...>
  auto operator()(const As&... operands) && {
    if constexpr (detail::areLiterals<As...>)
      return detail::applyForward(*this, operands...);
    else
      return detail::operationLayer(std::move(*this), operands...);
  }

  /// A whole number takes the element type of the other operand.
  template <class N, class B>
    requires detail::WholeNumberWith<N, B> && detail::OperandsOf<Operation, detail::ElementOf<DataOf<B>>, B>
  auto operator()(N a, const B& b) const {
    return (*this)(static_cast<detail::ElementOf<DataOf<B>>>(a), b);
  }
  template <class A, class N>
    requires detail::WholeNumberWith<N, A> && detail::OperandsOf<Operation, A, detail::ElementOf<DataOf<A>>>
  auto operator()(const A& a, N b) const {
    return (*this)(a, static_cast<detail::ElementOf<DataOf<A>>>(b));
  }

  template <class... As>
    requires detail::Underived<Operation, Keep::nothing, As...>
  void operator()(  // expected derivatives (delta), each of which returns its operand's delta
      const As&...) const = delete;
  template <class... As>
    requires detail::Underived<Operation, Keep::output, As...>
  void operator()(  // expected derivatives (delta, result), of Keep::output, that return operands' deltas
      const As&...) const = delete;
  template <class... As>
    requires detail::Underived<Operation, Keep::operands, As...>
  void operator()(  // expected derivatives (delta, operands...), of Keep::operands, that return deltas
      const As&...) const = delete;
  template <class... As>
    requires detail::Underived<Operation, Keep::shapes, As...>
  void operator()(  // expected derivatives (delta, operands' shapes...), of Keep::shapes, that return deltas
      const As&...) const = delete;
  void operator()(...) const = delete;  // expected Differentiable operands whose data `forward` takes
};

/// The operation y = forward(x). Its derivative returns x's delta, computed from y's delta and from the data
/// that are kept:
///   Keep::nothing   derivative(delta)       Keep::output  derivative(delta, y)
///   Keep::operands  derivative(delta, x)    Keep::shapes  derivative(delta, shape of x)
/// Both are generic over scalars and tensors, or over the types that the operation is for; they may throw. A
/// scalar derivative of a tensor operand is spread over it.
template <OperationName Name, Keep keep, class ShapeRule = Elementwise, detail::FunctionObject Forward,
          detail::FunctionObject Derivative>
constexpr auto unaryOperation(Forward forward, Derivative derivative, ShapeRule shapes = {}) {
  return Operation<Name, keep, ShapeRule, Forward, Derivative>{
      std::move(forward), {{std::move(derivative)}}, std::move(shapes)};
}
template <OperationName Name, Keep keep, class ShapeRule = Elementwise>
void unaryOperation(...) = delete;  // expected a forward function, a derivative, and maybe a rule for shapes

/// The operation z = forward(x, y), with a derivative for each operand, as for unaryOperation:
///   Keep::nothing   left(delta)         Keep::output  left(delta, z)
///   Keep::operands  left(delta, x, y)   Keep::shapes  left(delta, shape of x, shape of y)
/// A derivative may have the result's shape: it is summed to the operand's shape if the operand was
/// broadcast. Scalars that meet a tensor take its element type.
template <OperationName Name, Keep keep, class ShapeRule = Elementwise, detail::FunctionObject Forward,
          detail::FunctionObject Left, detail::FunctionObject Right>
constexpr auto binaryOperation(Forward forward, Left left, Right right, ShapeRule shapes = {}) {
  return Operation<Name, keep, ShapeRule, Forward, Left, Right>{
      std::move(forward), {{std::move(left)}, {std::move(right)}}, std::move(shapes)};
}
template <OperationName Name, Keep keep, class ShapeRule = Elementwise>
void binaryOperation(...) = delete;  // expected a forward function, two derivatives, maybe a rule for shapes

/// The operation forward(x, y, z), as binaryOperation, except that scalars keep their types and that the rule
/// for shapes has no default.
template <OperationName Name, Keep keep, class ShapeRule, detail::FunctionObject Forward,
          detail::FunctionObject First, detail::FunctionObject Second, detail::FunctionObject Third>
constexpr auto ternaryOperation(Forward forward, First first, Second second, Third third,
                                ShapeRule shapes = {}) {
  return Operation<Name, keep, ShapeRule, Forward, First, Second, Third>{
      std::move(forward), {{std::move(first)}, {std::move(second)}, {std::move(third)}}, std::move(shapes)};
}
template <OperationName Name, Keep keep, class ShapeRule>
void ternaryOperation(...) = delete;  // expected a forward function, three derivatives, and a rule for shapes

}  // namespace tapestry
#pragma GCC visibility pop
