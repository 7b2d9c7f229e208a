// Defines BinaryNode, an operation on two operands as a node.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "tapestry/deeplearning/detail/node/operation_node.hpp"
#include "tapestry/deeplearning/detail/node/shape_of_node.hpp"
#include "tapestry/deeplearning/detail/value.hpp"

namespace tapestry::detail {

/// What scalars become when A meets B: the element type of the tensor, or the wider of two scalars. Scalars
/// that meet another type stay what they are.
template <class A, class B>
struct MeetingElement {
  using Type = std::conditional_t<isTensor<B>, ElementOf<B>, ElementOf<A>>;
};
template <std::floating_point A, std::floating_point B>
struct MeetingElement<A, B> {
  using Type = std::common_type_t<A, B>;
};

template <class Op, class A, class B>
auto applyBinary(const Op& operation, const A& a, const B& b) {
  using T = typename MeetingElement<A, B>::Type;
  return operation.forward(operandFor<T>(a), operandFor<T>(b));
}

template <class Op, class A, class B>
using BinaryResult =
    decltype(applyBinary(std::declval<const Op&>(), std::declval<const A&>(), std::declval<const B&>()));

/// Whether the operation's forward takes the data of both operands, and gives some.
template <class Op, class A, class B, class T = typename MeetingElement<A, B>::Type>
concept ComputesBinary = requires(const Op& operation, const A& a, const B& b) {
  operation.forward(operandFor<T>(a), operandFor<T>(b));
  requires !std::is_void_v<decltype(operation.forward(operandFor<T>(a), operandFor<T>(b)))>;
};
/// Whether F, of the form that its Keep asks for, gives the delta of the operand To, which is A or B.
template <class Op, class F, class To, class A, class B, class T = typename MeetingElement<A, B>::Type>
concept DerivativeFor =
    requires(const F& function, const DenseOf<BinaryResult<Op, A, B>>& delta, const BinaryResult<Op, A, B>& z,
             const A& a, const B& b, const Shape& shape) {
      requires Op::kept != Keep::output || requires {
        { function(delta, z) } -> DerivativeOf<To>;
      };
      requires Op::kept != Keep::operands || requires {
        { function(delta, operandFor<T>(a), operandFor<T>(b)) } -> DerivativeOf<To>;
      };
      requires Op::kept != Keep::shapes || requires {
        { function(delta, shape, shape) } -> DerivativeOf<To>;
      };
      requires Op::kept != Keep::nothing || requires {
        { function(delta) } -> DerivativeOf<To>;
      };
    };
template <class Op, class A, class B>
concept DerivesBinary = ComputesBinary<Op, A, B> && DerivativeFor<Op, decltype(Op::left), A, A, B> &&
                        DerivativeFor<Op, decltype(Op::right), B, A, B>;

template <class Op, class A, class B, class Data = BinaryResult<Op, A, B>>
struct BinaryState final : OperationState<Data, DeltaOf<Data>, 2> {
  using OperationState<Data, DeltaOf<Data>, 2>::OperationState;

  [[no_unique_address]] ShapeFor<A> shapeA;
  [[no_unique_address]] ShapeFor<B> shapeB;
};

template <class Op, class A, class B>
class BinaryNode final : public OperationNode<BinaryState<Op, A, B>> {
  using Base = OperationNode<BinaryState<Op, A, B>>;
  using State = typename Base::State;
  using T = typename MeetingElement<A, B>::Type;
  using NodeA = TypedNode<A, DeltaOf<A>>;
  using NodeB = TypedNode<B, DeltaOf<B>>;
  using StateA = TypedState<A, DeltaOf<A>>;
  using StateB = TypedState<B, DeltaOf<B>>;

 public:
  using Data = typename Base::Data;

  BinaryNode(Op operation, Ref<NodeA> a, Ref<NodeB> b)
      : Base({std::move(a), std::move(b)}),
        operation_(std::move(operation)),
        known_(resultShape<Data>(operation_, left(), right()), {shapeOf(left()), shapeOf(right())}) {
    this->addCost(operationCost(operation_, known_, left().knownShape(), right().knownShape()));
  }

  static Data apply(const Op& operation, const A& a, const B& b) { return applyBinary(operation, a, b); }

  std::string_view name() const noexcept override { return Op::name; }
  Keep keep() const noexcept override { return Op::kept; }
  const Shape* knownShape() const noexcept override { return known_.get(); }

  void compute(NodeState& base) override {
    auto& state = static_cast<State&>(base);
    const A& a = *state.template as<StateA>(0).data;
    const B& b = *state.template as<StateB>(1).data;
    state.shapeA.remember(a, left());
    state.shapeB.remember(b, right());
    state.data.emplace(apply(operation_, a, b));
  }

  void derive(NodeState& base) override {
    auto& state = static_cast<State&>(base);
    if (!state.delta) return;
    auto& a = state.template as<StateA>(0);
    auto& b = state.template as<StateB>(1);
    const auto delta = denseOf(std::move(*state.delta));
    if constexpr (givesDelta<decltype(Op::left)>)
      if (a.wantsDelta)
        a.accept(fitDelta<A>(derivative(operation_.left, delta, state, a, b), state.shapeA.get()));
    if constexpr (givesDelta<decltype(Op::right)>)
      if (b.wantsDelta)
        b.accept(fitDelta<B>(derivative(operation_.right, delta, state, a, b), state.shapeB.get()));
  }

 private:
  template <class F>
  static auto derivative(const F& function, const DenseOf<Data>& delta, State& state, StateA& a, StateB& b) {
    if constexpr (Op::kept == Keep::output)
      return function(delta, *state.data);
    else if constexpr (Op::kept == Keep::operands)
      return function(delta, operandFor<T>(*a.data), operandFor<T>(*b.data));
    else if constexpr (Op::kept == Keep::shapes)
      return function(delta, state.shapeA.get(), state.shapeB.get());
    else
      return function(delta);
  }

  template <class F>
  static constexpr bool givesDelta =
      !std::same_as<decltype(derivative(std::declval<const F&>(), std::declval<const DenseOf<Data>&>(),
                                        std::declval<State&>(), std::declval<StateA&>(),
                                        std::declval<StateB&>())),
                    NoDelta>;

  const NodeA& left() const noexcept { return static_cast<const NodeA&>(*this->operands_[0]); }
  const NodeB& right() const noexcept { return static_cast<const NodeB&>(*this->operands_[1]); }

  [[no_unique_address]] Op operation_;
  [[no_unique_address]] KnownShape<Data> known_;
};

}  // namespace tapestry::detail
