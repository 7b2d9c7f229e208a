// Defines Operation, the engine of all operations: how operands are visited, and deltas flow back.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tapestry/deeplearning/detail/node/typed_node.hpp"
#include "tapestry/deeplearning/keep.hpp"

namespace tapestry::detail {

/// The parts of an operation that do not depend on its types.
class Operation {
 public:
  virtual std::span<const Ref<GraphNode>> operands() const noexcept = 0;
  /// Of its operands, as far as it has visited them.
  virtual std::span<NodeState*> operandStates(NodeState& state) noexcept = 0;
  virtual Keep keep() const noexcept = 0;
  /// Puts the data into the state, from the operands' data. May throw.
  virtual void compute(NodeState& state) = 0;
  /// Gives the operands that want deltas theirs, if the state has one. May throw.
  virtual void derive(NodeState& state) = 0;

  /// Visits the operands, those worth it in parallel, then computes.
  void openOperation(Run& run, NodeState& state);
  void flushOperation(NodeState& state, ReadyList& ready);

 protected:
  ~Operation() = default;

 private:
  struct Frames;
  class VisitMany;
  void advance(Run& run, NodeState& state);
  bool visitInParallel(Run& run, NodeState& state);
  /// It has had its operands' data: it keeps them or not, and, if it wants no deltas, leaves them.
  static void settleOperands(const NodeState& state, std::span<NodeState* const> operands,
                             Keep keep) noexcept;
  /// Leaves the operands that the operation has entered as a user; a null error stands for Cancelled.
  static void fail(NodeState& state, std::span<NodeState* const> entered, std::exception_ptr error) noexcept;
};

/// So many things, or, for std::dynamic_extent, as many as there are.
template <class T, std::size_t count>
using Several = std::conditional_t<count == std::dynamic_extent, std::vector<T>, std::array<T, count>>;

/// What an operation has in a pass: besides its data and delta, the states of its operands.
template <class DataT, class DeltaT, std::size_t count>
struct OperationState : TypedState<DataT, DeltaT> {
  using Data = DataT;
  using Delta = DeltaT;
  using Operands = Several<Ref<GraphNode>, count>;

  OperationState(GraphNode& graphNode, std::size_t number) : TypedState<Data, Delta>(graphNode) {
    if constexpr (count == std::dynamic_extent) operands.resize(number);
  }

  template <class State>
  State& as(std::size_t index) noexcept {
    return static_cast<State&>(*operands[index]);
  }

  Several<NodeState*, count> operands{};
};

/// An operation as a node. StateT is an OperationState, or derived from one.
template <class StateT>
class OperationNode : public TypedNode<typename StateT::Data, typename StateT::Delta>, public Operation {
 public:
  void open(Run& run, NodeState& state) final { openOperation(run, state); }
  void flush(Run&, NodeState& state, ReadyList& ready) final { flushOperation(state, ready); }
  Operation* asOperation() noexcept final { return this; }
  std::span<const Ref<GraphNode>> operands() const noexcept final { return operands_; }
  std::span<NodeState*> operandStates(NodeState& state) noexcept final {
    return static_cast<State&>(state).operands;
  }

 protected:
  using State = StateT;
  using Operands = typename State::Operands;

  explicit OperationNode(Operands operands)
      : TypedNode<typename State::Data, typename State::Delta>(false),
        operands_(std::move(operands)),
        state_(*this, operands_.size()) {
    for (const auto& operand : operands_) this->dependOn(*operand);
  }

  const Operands operands_;

 private:
  NodeState& slot() noexcept final { return state_; }
  std::unique_ptr<NodeState> makeState() final { return std::make_unique<State>(*this, operands_.size()); }

  State state_;
};

}  // namespace tapestry::detail
