// Defines BinaryNode, an operation on two operands as a node.
#pragma once

#include <array>
#include <memory>

#include "tapestry/deeplearning/detail/operation_node.hpp"
#include "tapestry/deeplearning/detail/shape_of_node.hpp"
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

template <class Op, class A, class B>
class BinaryNode final : public OperationNode<BinaryResult<Op, A, B>, DeltaOf<BinaryResult<Op, A, B>>> {
  using Base = OperationNode<BinaryResult<Op, A, B>, DeltaOf<BinaryResult<Op, A, B>>>;
  using T = typename MeetingElement<A, B>::Type;
  using NodeA = TypedNode<A, DeltaOf<A>>;
  using NodeB = TypedNode<B, DeltaOf<B>>;
  using StateA = TypedState<A, DeltaOf<A>>;
  using StateB = TypedState<B, DeltaOf<B>>;

 public:
  using Data = typename Base::Data;
  using Delta = typename Base::Delta;

 private:
  struct State final : TypedState<Data, Delta>, OperandStates {
    using TypedState<Data, Delta>::TypedState;
    std::span<NodeState*> all() noexcept override { return operands; }

    std::array<NodeState*, 2> operands{};
    [[no_unique_address]] ShapeFor<A> shapeA;
    [[no_unique_address]] ShapeFor<B> shapeB;
  };

 public:
  BinaryNode(Op operation, Ref<NodeA> a, Ref<NodeB> b)
      : operation_(std::move(operation)),
        operands_{std::move(a), std::move(b)},
        known_(resultShape<Data>(operation_, left(), right()), {shapeOf(left()), shapeOf(right())}),
        state_(*this) {
    this->measure(operationCost(operation_, known_, left().knownShape(), right().knownShape()));
  }

  static Data apply(const Op& operation, const A& a, const B& b) { return applyBinary(operation, a, b); }

  std::span<const Ref<GraphNode>> operands() const noexcept override { return operands_; }
  OperandStates& operandStates(NodeState& state) noexcept override { return static_cast<State&>(state); }
  std::string_view name() const noexcept override { return Op::name; }
  Keep keep() const noexcept override { return Op::kept; }
  const Shape* knownShape() const noexcept override { return known_.get(); }

  void compute(NodeState& base) override {
    auto& state = static_cast<State&>(base);
    const A& a = *state.template as<StateA>(0).data;
    const B& b = *state.template as<StateB>(1).data;
    state.shapeA.remember(a, *operands_[0]);
    state.shapeB.remember(b, *operands_[1]);
    state.data.emplace(apply(operation_, a, b));
  }

  void derive(NodeState& base) override {
    auto& state = static_cast<State&>(base);
    if (!state.delta) return;
    auto& a = state.template as<StateA>(0);
    auto& b = state.template as<StateB>(1);
    const auto delta = denseOf(std::move(*state.delta));
    if (a.wantsDelta)
      a.accept(fitDelta<A>(derivative(operation_.left, delta, state, a, b), state.shapeA.get()));
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

  const NodeA& left() const noexcept { return static_cast<const NodeA&>(*operands_[0]); }
  const NodeB& right() const noexcept { return static_cast<const NodeB&>(*operands_[1]); }
  NodeState& slot() noexcept override { return state_; }
  std::unique_ptr<NodeState> makeState() override { return std::make_unique<State>(*this); }

  [[no_unique_address]] Op operation_;
  std::array<Ref<GraphNode>, 2> operands_;
  [[no_unique_address]] KnownShape<Data> known_;
  State state_;
};

}  // namespace tapestry::detail
