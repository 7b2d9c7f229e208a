// Defines unaryOperation and binaryOperation, which make a differentiable operation of a forward and its
// derivative.
#pragma once

#include <string_view>
#include <utility>

#include "tapestry/deeplearning/detail/binary_node.hpp"
#include "tapestry/deeplearning/detail/operation_name.hpp"
#include "tapestry/deeplearning/detail/unary_node.hpp"
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

template <OperationName Name, Keep keep, class ShapeRule, class Forward, class Derivative>
struct UnaryOperation {
  static constexpr std::string_view name = Name.view();
  static constexpr Keep kept = keep;
  [[no_unique_address]] Forward forward;
  [[no_unique_address]] Derivative derivative;
  [[no_unique_address]] ShapeRule shapes;

  /// Of a literal: the value, computed at once. Of anything else that is differentiable: a layer.
  template <Differentiable A>
  auto operator()(const A& operand) const& {
    constexpr bool computes = detail::computesUnary<UnaryOperation, DataOf<A>>();
    static_assert(computes, "tapestry::unaryOperation: expected forward(x), of the operand's data");
    if constexpr (!computes) {
      return detail::Misfit();
    } else if constexpr (isLiteral<A>) {
      return forward(operand);
    } else {
      constexpr bool derives = detail::derivesUnary<UnaryOperation, DataOf<A>>();
      static_assert(derives,
                    "tapestry::unaryOperation: expected derivative(delta), of Keep::output (delta, y), of "
                    "Keep::operands (delta, x), of Keep::shapes (delta, shape of x)");
      if constexpr (derives)
        return layerOf(*this, operand);
      else
        return detail::Misfit();
    }
  }
  /// Moves what the operation holds into the layer.
  template <Differentiable A>
  auto operator()(const A& operand) && {
    if constexpr (!isLiteral<A> && fits<DataOf<A>>())
      return layerOf(std::move(*this), operand);
    else
      return std::as_const(*this)(operand);  // whose static_asserts say what is wrong
  }

 private:
  template <class Data>
  static constexpr bool fits() noexcept {
    if constexpr (detail::computesUnary<UnaryOperation, Data>())
      return detail::derivesUnary<UnaryOperation, Data>();
    else
      return false;
  }

  template <class Self, class A>
  static auto layerOf(Self&& operation, const A& operand) {
    using Node = detail::UnaryNode<UnaryOperation, DataOf<A>>;
    return Layer<typename Node::Data>(detail::Ref<typename Layer<typename Node::Data>::Node>(
        detail::makeRef<Node>(std::forward<Self>(operation), nodeOf(operand))));
  }
};

/// The operation y = forward(x). Its derivative gives the operand's delta from y's, and from what is kept:
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
  template <Differentiable A, Differentiable B>
  auto operator()(const A& a, const B& b) const {
    constexpr bool computes = detail::computesBinary<BinaryOperation, DataOf<A>, DataOf<B>>();
    static_assert(computes, "tapestry::binaryOperation: expected forward(x, y), of the operands' data");
    if constexpr (!computes) {
      return detail::Misfit();
    } else {
      using Node = detail::BinaryNode<BinaryOperation, DataOf<A>, DataOf<B>>;
      if constexpr (isLiteral<A> && isLiteral<B>)
        return Node::apply(*this, a, b);
      else if constexpr (derivesBoth<DataOf<A>, DataOf<B>>())
        return Layer<typename Node::Data>(detail::Ref<typename Layer<typename Node::Data>::Node>(
            detail::makeRef<Node>(*this, nodeOf(a), nodeOf(b))));
      else
        return detail::Misfit();
    }
  }

  /// A whole number is a literal of the element type of what it meets.
  template <class N, class B>
    requires detail::WholeNumberWith<N, B>
  auto operator()(N a, const B& b) const {
    return (*this)(static_cast<detail::ElementOf<DataOf<B>>>(a), b);
  }
  template <class A, class N>
    requires detail::WholeNumberWith<N, A>
  auto operator()(const A& a, N b) const {
    return (*this)(a, static_cast<detail::ElementOf<DataOf<A>>>(b));
  }

 private:
  template <class A, class B>
  static constexpr bool derivesBoth() noexcept {
    constexpr bool derives = detail::derivesBinary<BinaryOperation, Left, A, A, B>() &&
                             detail::derivesBinary<BinaryOperation, Right, B, A, B>();
    static_assert(
        derives,
        "tapestry::binaryOperation: expected for both operands derivative(delta), of Keep::output "
        "(delta, z), of Keep::operands (delta, x, y), of Keep::shapes (delta, shape of x, shape of y)");
    return derives;
  }
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
