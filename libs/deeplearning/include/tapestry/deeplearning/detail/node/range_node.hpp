// Defines RangeNode, the base of nodes with a range of operands.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tapestry/deeplearning/detail/node/typed_state.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The state of a node with a range of operands in a pass, and what its derivative needs.
template <class Data, class Memory = NoMemory>
struct RangeState final : TypedState<Data, DeltaOf<Data>> {
  RangeState(GraphNode& graphNode, std::size_t count)
      : TypedState<Data, DeltaOf<Data>>(graphNode), operands(count) {}

  /// The state of the operand at the index, whose data have type A.
  template <class A>
  TypedState<A, DeltaOf<A>>& operand(std::size_t index) noexcept {
    return static_cast<TypedState<A, DeltaOf<A>>&>(*operands[index]);
  }

  std::vector<NodeState*> operands;
  [[no_unique_address]] Memory memory;
};

/// The derivative needs no data of the operands.
template <class DataT, class Memory = NoMemory>
class RangeNode : public GraphNode {
 public:
  using Data = DataT;
  using Delta = DeltaOf<Data>;

  std::span<const Ref<GraphNode>> operands() const noexcept final { return operands_; }
  std::span<NodeState*> operandStates(NodeState& state) const noexcept final {
    return static_cast<State&>(state).operands;
  }
  void describe(extend::NodeDetails& details) const override {
    describeType<Data>(details, this->knownShape());
  }

 protected:
  using State = RangeState<Data, Memory>;

  /// To be followed by dependOn().
  explicit RangeNode(std::vector<Ref<GraphNode>> operands)
      : GraphNode(false), operands_(std::move(operands)), state_(*this, operands_.size()) {}

  const std::vector<Ref<GraphNode>> operands_;

 private:
  NodeState& slot() noexcept final { return state_; }
  std::unique_ptr<NodeState> makeState() final { return std::make_unique<State>(*this, operands_.size()); }

  State state_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
