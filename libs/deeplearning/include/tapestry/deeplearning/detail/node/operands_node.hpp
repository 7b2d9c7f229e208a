// Defines AnyOperation, the engine of all operations, and OperandsState and OperandsNode, the bases of nodes
// with operands.
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

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// An operation without its types.
class AnyOperation {
 public:
  virtual std::span<const Ref<GraphNode>> operands() const noexcept = 0;
  /// The states of the operands in the pass of this state, as far as the operation has visited them.
  virtual std::span<NodeState*> operandStates(NodeState& state) noexcept = 0;
  virtual Keep keep() const noexcept = 0;
  /// Computes the state's data from the operands' data. May throw.
  virtual void compute(NodeState& state) = 0;
  /// Sends deltas to the operands that want them, if the state has a delta. May throw.
  virtual void derive(NodeState& state) = 0;

  /// Visits the operands, those worth a fork in parallel, then computes.
  void openOperation(Run& run, NodeState& state);
  void flushOperation(NodeState& state, ReadyList& ready);

 protected:
  ~AnyOperation() = default;

 private:
  struct Frames;
  class VisitMany;
  void advance(Run& run, NodeState& state);
  bool visitInParallel(Run& run, NodeState& state);
  /// For an operation that has read its operands' data: keeps or drops the data, and leaves the operands if
  /// the operation wants no deltas.
  static void settleOperands(const NodeState& state, std::span<NodeState* const> operands,
                             Keep keep) noexcept;
  /// Fails the state and leaves the operands that the operation has entered as a user; a null error stands
  /// for Cancelled.
  static void fail(NodeState& state, std::span<NodeState* const> entered, std::exception_ptr error) noexcept;
};

/// An array of `count` elements, or a vector for std::dynamic_extent.
template <class T, std::size_t count>
using Several = std::conditional_t<count == std::dynamic_extent, std::vector<T>, std::array<T, count>>;

/// The state of an operation in a pass: its data and delta, and the states of its operands.
template <class DataT, class DeltaT, std::size_t count>
struct OperandsState : TypedState<DataT, DeltaT> {
  using Data = DataT;
  using Delta = DeltaT;
  using Operands = Several<Ref<GraphNode>, count>;

  OperandsState(GraphNode& graphNode, std::size_t number) : TypedState<Data, Delta>(graphNode) {
    if constexpr (count == std::dynamic_extent) operands.resize(number);
  }

  /// The state of the operand at the index, whose data have type A.
  template <class A>
  TypedState<A, DeltaOf<A>>& operand(std::size_t index) noexcept {
    return static_cast<TypedState<A, DeltaOf<A>>&>(*operands[index]);
  }

  Several<NodeState*, count> operands{};
};

/// The base of nodes with operands. StateT is an OperandsState, or derived from one.
template <class StateT>
class OperandsNode : public TypedNode<typename StateT::Data, typename StateT::Delta>, public AnyOperation {
 public:
  void open(Run& run, NodeState& state) final { openOperation(run, state); }
  void flush(Run&, NodeState& state, ReadyList& ready) final { flushOperation(state, ready); }
  AnyOperation* asOperation() noexcept final { return this; }
  std::span<const Ref<GraphNode>> operands() const noexcept final { return operands_; }
  std::span<NodeState*> operandStates(NodeState& state) noexcept final {
    return static_cast<State&>(state).operands;
  }

 protected:
  using State = StateT;
  using Operands = typename State::Operands;

  explicit OperandsNode(Operands operands)
      : TypedNode<typename State::Data, typename State::Delta>(false),
        operands_(std::move(operands)),
        state_(*this, operands_.size()) {
    for (const auto& operand : operands_) this->dependOn(*operand);
  }

  /// The operand at the index, whose data have type A.
  template <class A>
  const TypedNode<A, DeltaOf<A>>& operand(std::size_t index) const noexcept {
    return static_cast<const TypedNode<A, DeltaOf<A>>&>(*operands_[index]);
  }

  const Operands operands_;

 private:
  NodeState& slot() noexcept final { return state_; }
  std::unique_ptr<NodeState> makeState() final { return std::make_unique<State>(*this, operands_.size()); }

  State state_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
