// Defines RecallingNode, an operation on one operand that draws on its pass, and keeps something of its own
// for the derivative.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "tapestry/deeplearning/detail/node/operation_node.hpp"
#include "tapestry/deeplearning/detail/node/shape_of_node.hpp"
#include "tapestry/deeplearning/detail/value.hpp"
#include "tapestry/deeplearning/differentiable.hpp"

namespace tapestry::detail {

template <class T, class Memory>
struct RecallingState final : OperationState<Tensor<T>, TensorDelta<T>, 1> {
  using Base = OperationState<Tensor<T>, TensorDelta<T>, 1>;
  using Base::Base;
  void clear() noexcept override {
    Base::clear();
    memory.reset();
  }

  std::optional<Memory> memory;
};

/// Op has a name, a type Memory, and
///   Shape of(shape), which checks the operand's shape where that is known; the result has the same,
///   Tensor<T> forward(const Tensor<T>&, Pass&, Memory&), and Tensor<T> derivative(Tensor<T> delta, Memory).
template <class Op, class T>
class RecallingNode final : public OperationNode<RecallingState<T, typename Op::template Memory<T>>> {
  using State = RecallingState<T, typename Op::template Memory<T>>;
  using Operand = TypedNode<Tensor<T>, TensorDelta<T>>;
  using OperandState = TypedState<Tensor<T>, TensorDelta<T>>;

 public:
  RecallingNode(Op operation, Ref<Operand> operand)
      : OperationNode<State>({std::move(operand)}),
        operation_(std::move(operation)),
        known_(static_cast<const Operand&>(*this->operands_[0]).knownShape()) {
    if (known_) operation_.requireShape(*known_);
    this->addCost(300 + (known_ ? 4 * static_cast<float>(known_->size()) : 0));
  }

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
  Op operation_;
  const Shape* const known_;  ///< the operand's
};

template <class Op, Differentiable A>
auto recalling(Op operation, const A& operand) {
  using T = ElementOf<DataOf<A>>;
  return Layer<Tensor<T>>(Ref<TypedNode<Tensor<T>, TensorDelta<T>>>(
      makeRef<RecallingNode<Op, T>>(std::move(operation), nodeOf(operand))));
}

}  // namespace tapestry::detail
