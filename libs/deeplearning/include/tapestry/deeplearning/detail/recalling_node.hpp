// Defines RecallingNode, an operation on one operand that draws on its pass, and keeps something of its own
// for the derivative.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "tapestry/deeplearning/detail/operation_node.hpp"
#include "tapestry/deeplearning/detail/shape_of_node.hpp"
#include "tapestry/deeplearning/detail/value.hpp"
#include "tapestry/deeplearning/differentiable.hpp"

namespace tapestry::detail {

/// Op has a name, a type Memory, and
///   Shape of(shape), which checks the operand's shape where that is known; the result has the same,
///   Tensor<T> forward(const Tensor<T>&, Pass&, Memory&), and Tensor<T> derivative(Tensor<T> delta, Memory).
template <class Op, class T>
class RecallingNode final : public OperationNode<Tensor<T>, TensorDelta<T>> {
  using Base = OperationNode<Tensor<T>, TensorDelta<T>>;
  using Memory = typename Op::template Memory<T>;
  using OperandState = TypedState<Tensor<T>, TensorDelta<T>>;

  struct State final : OperandState, OperandStates {
    using OperandState::OperandState;
    std::span<NodeState*> all() noexcept override { return operand; }
    void clear() noexcept override {
      OperandState::clear();
      memory.reset();
    }

    std::array<NodeState*, 1> operand{};
    std::optional<Memory> memory;
  };

 public:
  RecallingNode(Op operation, Ref<TypedNode<Tensor<T>, TensorDelta<T>>> operand)
      : operation_(std::move(operation)), operands_{operand}, state_(*this) {
    known_ = operand->knownShape();
    if (known_) operation_.requireShape(*known_);
    this->measure(300 + (known_ ? 4 * static_cast<float>(known_->size()) : 0));
  }

  std::span<const Ref<GraphNode>> operands() const noexcept override { return operands_; }
  OperandStates& operandStates(NodeState& state) noexcept override { return static_cast<State&>(state); }
  Keep keep() const noexcept override { return Keep::nothing; }
  std::string_view name() const noexcept override { return Op::name; }
  const Shape* knownShape() const noexcept override { return known_; }

  void compute(NodeState& base) override {
    auto& state = static_cast<State&>(base);
    const Tensor<T>& operand = *state.template as<OperandState>(0).data;
    operation_.requireShape(operand.shape());
    state.memory.emplace();
    state.data.emplace(operation_.forward(operand, state.pass(), *state.memory));
    if (!state.wantsDelta) state.memory.reset();
  }

  void derive(NodeState& base) override {
    auto& state = static_cast<State&>(base);
    auto& operand = state.template as<OperandState>(0);
    if (!state.delta || !operand.wantsDelta) return;
    operand.accept(operation_.derivative(denseOf(std::move(*state.delta)), *state.memory));
  }

 private:
  NodeState& slot() noexcept override { return state_; }
  std::unique_ptr<NodeState> makeState() override { return std::make_unique<State>(*this); }

  Op operation_;
  std::array<Ref<GraphNode>, 1> operands_;
  const Shape* known_ = nullptr;  ///< the operand's
  State state_;
};

template <class Op, Differentiable A>
auto recalling(Op operation, const A& operand) {
  using T = ElementOf<DataOf<A>>;
  return Layer<Tensor<T>>(Ref<TypedNode<Tensor<T>, TensorDelta<T>>>(
      makeRef<RecallingNode<Op, T>>(std::move(operation), nodeOf(operand))));
}

}  // namespace tapestry::detail
