// Defines Operation, the engine of all operations: how operands are visited, and deltas flow back.
#pragma once

#include <cstddef>
#include <span>

#include "tapestry/deeplearning/detail/typed_node.hpp"
#include "tapestry/deeplearning/keep.hpp"

namespace tapestry::detail {

/// What an operation has in a pass besides its data and delta: the states of its operands, and how far it has
/// come.
class OperandStates {
 public:
  std::size_t next = 0;  ///< the operand to visit next

  virtual std::span<NodeState*> all() noexcept = 0;
  template <class State>
  State& as(std::size_t index) noexcept {
    return static_cast<State&>(*all()[index]);
  }
  /// The operation has had its operands' data: it keeps them or not, and, if it wants no deltas, leaves them.
  void settle(const NodeState& own, Keep keep) noexcept;

 protected:
  ~OperandStates() = default;
};

/// The parts of an operation that do not depend on its types.
class Operation {
 public:
  virtual std::span<const Ref<GraphNode>> operands() const noexcept = 0;
  virtual OperandStates& operandStates(NodeState& state) noexcept = 0;
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
  /// Leaves the operands that the operation has entered as a user; a null error stands for Cancelled.
  static void fail(NodeState& state, std::span<NodeState* const> entered, std::exception_ptr error) noexcept;
};

/// An operation as a node.
template <class Data, class Delta>
class OperationNode : public TypedNode<Data, Delta>, public Operation {
 public:
  void open(Run& run, NodeState& state) final { openOperation(run, state); }
  void flush(Run&, NodeState& state, ReadyList& ready) final { flushOperation(state, ready); }
  bool trainable() const noexcept final { return trainable_; }
  float cost() const noexcept final { return cost_; }
  Operation* asOperation() noexcept final { return this; }

 protected:
  /// To be called by the constructor, with what the operation itself costs in ns.
  void measure(float own) noexcept {
    cost_ = own;
    for (const auto& operand : operands()) {
      trainable_ |= operand->trainable();
      cost_ += operand->cost();
    }
  }

 private:
  bool trainable_ = false;
  float cost_ = 0;
};

}  // namespace tapestry::detail
