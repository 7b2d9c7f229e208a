// Defines UnaryNode, an operation on one operand as a node.
#pragma once

#include <array>
#include <memory>

#include "tapestry/deeplearning/detail/operation_node.hpp"
#include "tapestry/deeplearning/detail/shape_of_node.hpp"
#include "tapestry/deeplearning/detail/value.hpp"

namespace tapestry::detail {

template <class Op, class A>
using UnaryResult = decltype(std::declval<const Op&>().forward(std::declval<const A&>()));

template <class Op, class A>
class UnaryNode final : public OperationNode<UnaryResult<Op, A>, DeltaOf<UnaryResult<Op, A>>> {
  using Base = OperationNode<UnaryResult<Op, A>, DeltaOf<UnaryResult<Op, A>>>;
  using Operand = TypedNode<A, DeltaOf<A>>;
  using OperandState = TypedState<A, DeltaOf<A>>;

 public:
  using Data = typename Base::Data;
  using Delta = typename Base::Delta;

 private:
  struct State final : TypedState<Data, Delta>, OperandStates {
    using TypedState<Data, Delta>::TypedState;
    std::span<NodeState*> all() noexcept override { return operand; }

    std::array<NodeState*, 1> operand{};
    [[no_unique_address]] ShapeFor<A> shape;
  };

 public:
  UnaryNode(Op operation, Ref<Operand> operand)
      : operation_(std::move(operation)),
        operands_{std::move(operand)},
        known_(resultShape<Data>(operation_, only()), {shapeOf(only())}),
        state_(*this) {
    this->measure(costOf(known_));
  }

  std::span<const Ref<GraphNode>> operands() const noexcept override { return operands_; }
  OperandStates& operandStates(NodeState& state) noexcept override { return static_cast<State&>(state); }
  std::string_view name() const noexcept override { return Op::name; }
  Keep keep() const noexcept override { return Op::kept; }
  const Shape* knownShape() const noexcept override { return known_.get(); }

  void compute(NodeState& base) override {
    auto& state = static_cast<State&>(base);
    const A& operand = *state.template as<OperandState>(0).data;
    state.shape.remember(operand, *operands_[0]);
    state.data.emplace(operation_.forward(operand));
  }

  void derive(NodeState& base) override {
    auto& state = static_cast<State&>(base);
    auto& operand = state.template as<OperandState>(0);
    if (!state.delta || !operand.wantsDelta) return;
    auto delta = denseOf(std::move(*state.delta));
    operand.accept(fitDelta<A>(derivative(std::move(delta), state, operand), state.shape.get()));
  }

 private:
  auto derivative(DenseOf<Data> delta, State& state, OperandState& operand) const {
    if constexpr (Op::kept == Keep::output)
      return operation_.derivative(std::move(delta), *state.data);
    else if constexpr (Op::kept == Keep::operands)
      return operation_.derivative(std::move(delta), *operand.data);
    else if constexpr (Op::kept == Keep::shapes)
      return operation_.derivative(std::move(delta), state.shape.get());
    else
      return operation_.derivative(std::move(delta));
  }

  const Operand& only() const noexcept { return static_cast<const Operand&>(*operands_[0]); }
  NodeState& slot() noexcept override { return state_; }
  std::unique_ptr<NodeState> makeState() override { return std::make_unique<State>(*this); }

  [[no_unique_address]] Op operation_;
  std::array<Ref<GraphNode>, 1> operands_;
  [[no_unique_address]] KnownShape<Data> known_;
  State state_;
};

}  // namespace tapestry::detail
