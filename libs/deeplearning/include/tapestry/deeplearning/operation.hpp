// Defines unaryOperation and binaryOperation, which make a differentiable operation of a forward and its
// derivative.
#pragma once

#include <string_view>
#include <utility>

#include "tapestry/deeplearning/detail/node/binary_node.hpp"
#include "tapestry/deeplearning/detail/node/unary_node.hpp"
#include "tapestry/deeplearning/detail/operation_name.hpp"
#include "tapestry/deeplearning/numeric.hpp"

namespace tapestry {

// A rule for shapes has of(name, shapes of the operands...), which gives the result's shape, or throws
// ShapeError for operands that do not fit. It is asked before a network runs, where shapes are known by then.

/// The shape of the result of an elementwise operation: what its operands broadcast to.
struct Elementwise {
  static Shape of(std::string_view, const Shape& a) { return a; }
  static Shape of(std::string_view name, const Shape& a, const Shape& b) { return broadcast(a, b, name); }
};

/// The shape of a result that is a scalar.
struct ToScalar {
  static Shape of(std::string_view, const auto&...) noexcept { return {}; }
};

namespace detail {

/// What a unary operation takes: a literal that its forward takes, or what its derivative can go back to.
template <class A, class Op>
concept UnaryOperandOf =
    Differentiable<A> && ((isLiteral<A> && ComputesUnary<Op, DataOf<A>>) || DerivesUnary<Op, DataOf<A>>);
/// The operands that it takes, whatever the form of its derivative.
template <class A, class Op, Keep keep>
concept UnderivedUnary =
    Op::kept == keep && Differentiable<A> && !UnaryOperandOf<A, Op> && ComputesUnary<Op, DataOf<A>>;

/// The same of two operands.
template <class A, class B, class Op>
concept BinaryOperandsOf = Differentiable<A> && Differentiable<B> &&
                           ((isLiteral<A> && isLiteral<B> && ComputesBinary<Op, DataOf<A>, DataOf<B>>) ||
                            DerivesBinary<Op, DataOf<A>, DataOf<B>>);
template <class A, class B, class Op, Keep keep>
concept UnderivedBinary = Op::kept == keep && Differentiable<A> && Differentiable<B> &&
                          !BinaryOperandsOf<A, B, Op> && ComputesBinary<Op, DataOf<A>, DataOf<B>>;

}  // namespace detail

template <OperationName Name, Keep keep, class ShapeRule, class Forward, class Derivative>
struct UnaryOperation {
  static constexpr std::string_view name = Name.view();
  static constexpr Keep kept = keep;
  [[no_unique_address]] Forward forward;
  [[no_unique_address]] Derivative derivative;
  [[no_unique_address]] ShapeRule shapes;

  /// Of a literal: the value, computed at once. Of anything else that is differentiable: a layer.
  template <detail::UnaryOperandOf<UnaryOperation> A>
  auto operator()(const A& operand) const& {
    return apply(*this, operand);
  }
  /// Moves what the operation holds into the layer.
  template <detail::UnaryOperandOf<UnaryOperation> A>
  auto operator()(const A& operand) && {
    return apply(std::move(*this), operand);
  }

  template <detail::UnderivedUnary<UnaryOperation, Keep::nothing> A>
  void operator()(  // expected derivative(delta), to give the operand's delta
      const A&) const& = delete;
  template <detail::UnderivedUnary<UnaryOperation, Keep::output> A>
  void operator()(  // expected derivative(delta, y), of Keep::output, to give the operand's delta
      const A&) const& = delete;
  template <detail::UnderivedUnary<UnaryOperation, Keep::operands> A>
  void operator()(  // expected derivative(delta, x), of Keep::operands, to give the operand's delta
      const A&) const& = delete;
  template <detail::UnderivedUnary<UnaryOperation, Keep::shapes> A>
  void operator()(  // expected derivative(delta, shape of x), of Keep::shapes, to give the operand's delta
      const A&) const& = delete;
  void operator()(...) const = delete;  // expected a Differentiable operand, and forward(x), of its data

 private:
  template <class Self, class A>
  static auto apply(Self&& operation, const A& operand) {
    if constexpr (isLiteral<A>) {
      return operation.forward(operand);
    } else {
      using Node = detail::UnaryNode<UnaryOperation, DataOf<A>>;
      return Layer<typename Node::Data>(detail::Ref<typename Layer<typename Node::Data>::Node>(
          detail::makeRef<Node>(std::forward<Self>(operation), nodeOf(operand))));
    }
  }
};

/// The operation y = forward(x). Its derivative gives the operand's delta from y's, and from the kept data:
///   Keep::nothing   derivative(delta)
///   Keep::output    derivative(delta, y)
///   Keep::operands  derivative(delta, x)
///   Keep::shapes    derivative(delta, shape of x)
/// Both are generic over scalars and tensors, or over the types that the operation is for; they may throw. A
/// scalar derivative of a tensor operand is spread over it.
template <OperationName Name, Keep keep, class ShapeRule = Elementwise, class Forward, class Derivative>
constexpr auto unaryOperation(Forward forward, Derivative derivative, ShapeRule shapes = {}) {
  return UnaryOperation<Name, keep, ShapeRule, Forward, Derivative>{std::move(forward), std::move(derivative),
                                                                    std::move(shapes)};
}

template <OperationName Name, Keep keep, class ShapeRule, class Forward, class Left, class Right>
struct BinaryOperation {
  static constexpr std::string_view name = Name.view();
  static constexpr Keep kept = keep;
  [[no_unique_address]] Forward forward;
  [[no_unique_address]] Left left;
  [[no_unique_address]] Right right;
  [[no_unique_address]] ShapeRule shapes;

  /// Of two literals: the value, computed at once. With a layer or a weight on either side: a layer.
  template <class A, class B>
    requires detail::BinaryOperandsOf<A, B, BinaryOperation>
  auto operator()(const A& a, const B& b) const {
    using Node = detail::BinaryNode<BinaryOperation, DataOf<A>, DataOf<B>>;
    if constexpr (isLiteral<A> && isLiteral<B>)
      return Node::apply(*this, a, b);
    else
      return Layer<typename Node::Data>(detail::Ref<typename Layer<typename Node::Data>::Node>(
          detail::makeRef<Node>(*this, nodeOf(a), nodeOf(b))));
  }

  /// A whole number is a literal of the other operand's element type.
  template <class N, class B>
    requires detail::WholeNumberWith<N, B> &&
             detail::BinaryOperandsOf<detail::ElementOf<DataOf<B>>, B, BinaryOperation>
  auto operator()(N a, const B& b) const {
    return (*this)(static_cast<detail::ElementOf<DataOf<B>>>(a), b);
  }
  template <class A, class N>
    requires detail::WholeNumberWith<N, A> &&
             detail::BinaryOperandsOf<A, detail::ElementOf<DataOf<A>>, BinaryOperation>
  auto operator()(const A& a, N b) const {
    return (*this)(a, static_cast<detail::ElementOf<DataOf<A>>>(b));
  }

  template <class A, class B>
    requires detail::UnderivedBinary<A, B, BinaryOperation, Keep::nothing>
  void operator()(  // expected derivatives (delta), to give deltas
      const A&, const B&) const = delete;
  template <class A, class B>
    requires detail::UnderivedBinary<A, B, BinaryOperation, Keep::output>
  void operator()(  // expected derivatives (delta, z), of Keep::output, to give deltas
      const A&, const B&) const = delete;
  template <class A, class B>
    requires detail::UnderivedBinary<A, B, BinaryOperation, Keep::operands>
  void operator()(  // expected derivatives (delta, x, y), of Keep::operands, to give deltas
      const A&, const B&) const = delete;
  template <class A, class B>
    requires detail::UnderivedBinary<A, B, BinaryOperation, Keep::shapes>
  void operator()(  // expected derivatives (delta, shape of x, shape of y), of Keep::shapes, to give deltas
      const A&, const B&) const = delete;
  void operator()(...) const = delete;  // expected Differentiable operands, and forward(x, y), of their data
};

/// The operation z = forward(x, y), with a derivative for each operand, as for unaryOperation:
///   Keep::nothing   left(delta)         Keep::output  left(delta, z)
///   Keep::operands  left(delta, x, y)   Keep::shapes  left(delta, shape of x, shape of y)
/// A derivative may have the result's shape: it is summed to the operand's where that was broadcast. Scalars
/// that meet a tensor take its element type.
template <OperationName Name, Keep keep, class ShapeRule = Elementwise, class Forward, class Left,
          class Right>
constexpr auto binaryOperation(Forward forward, Left left, Right right, ShapeRule shapes = {}) {
  return BinaryOperation<Name, keep, ShapeRule, Forward, Left, Right>{std::move(forward), std::move(left),
                                                                      std::move(right), std::move(shapes)};
}

}  // namespace tapestry
