// Defines OperandsState and OperandsNode, the bases of nodes with operands.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tapestry/deeplearning/detail/node/typed_node.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// An array of `count` elements, or a vector for std::dynamic_extent.
template <class T, std::size_t count>
using Several = std::conditional_t<count == std::dynamic_extent, std::vector<T>, std::array<T, count>>;

/// For an operation whose derivative needs no data of its own.
struct NothingKept {};

/// The state of an operation in a pass: its data and delta, the states of its operands, and what else its
/// derivative needs. `Kept` may have clear().
template <class DataT, class DeltaT, std::size_t count, class Kept = NothingKept>
struct OperandsState final : TypedState<DataT, DeltaT> {
  using Data = DataT;
  using Delta = DeltaT;
  using Operands = Several<Ref<GraphNode>, count>;

  OperandsState(GraphNode& graphNode, std::size_t number) : TypedState<Data, Delta>(graphNode) {
    if constexpr (count == std::dynamic_extent) operands.resize(number);
  }

  void clear() noexcept override {
    TypedState<Data, Delta>::clear();
    if constexpr (requires { kept.clear(); }) kept.clear();
  }

  /// The state of the operand at the index, whose data have type A.
  template <class A>
  TypedState<A, DeltaOf<A>>& operand(std::size_t index) noexcept {
    return static_cast<TypedState<A, DeltaOf<A>>&>(*operands[index]);
  }

  Several<NodeState*, count> operands{};
  [[no_unique_address]] Kept kept;
};

/// The base of nodes with operands. StateT is an OperandsState.
template <class StateT>
class OperandsNode : public TypedNode<typename StateT::Data, typename StateT::Delta> {
 public:
  std::span<const Ref<GraphNode>> operands() const noexcept final { return operands_; }
  std::span<NodeState*> operandStates(NodeState& state) const noexcept final {
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
