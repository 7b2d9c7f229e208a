// Defines RangeNode, the base of nodes with a range of operands, and PartsNode, a tuple, pair, array or
// vector of nodes as one node.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
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

/// Its data are its operands' data, and each operand gets its part of the delta.
template <class DataT>
class PartsNode final : public RangeNode<DataT> {
  using State = RangeState<DataT>;
  using RangeNode<DataT>::operands_;

 public:
  using Data = DataT;
  using Delta = DeltaOf<Data>;

  /// Precondition: the operands have the types of the parts of Data.
  explicit PartsNode(std::vector<Ref<GraphNode>> operands) : RangeNode<Data>(std::move(operands)) {
    this->dependOn(operands_, 300);
  }

  std::string_view name() const noexcept override { return "parts"; }

  void compute(NodeState& base) override {
    auto& state = static_cast<State&>(base);
    if constexpr (isVector<Data>) {
      Data data;
      data.reserve(operands_.size());
      for (std::size_t i = 0; i < operands_.size(); ++i)
        data.push_back(part<typename Data::value_type>(state, i));
      state.data.emplace(std::move(data));
    } else {
      [&]<std::size_t... i>(std::index_sequence<i...>) {
        state.data.emplace(Data{part<std::tuple_element_t<i, Data>>(state, i)...});
      }(std::make_index_sequence<std::tuple_size_v<Data>>());
    }
  }

  void derive(NodeState& base) override {
    auto& state = static_cast<State&>(base);
    if (!state.delta) return;
    Held<Delta> held = std::exchange(state.delta, std::nullopt);
    Delta& delta = *held;
    requireLength("Tape::backward", delta, operands_.size());
    const auto send = [&]<class Part>(std::type_identity<Part>, std::size_t i, DeltaOf<Part>& own) {
      auto& operand = state.template operand<Part>(i);
      if (operand.wantsDelta) operand.accept(std::move(own));
    };
    if constexpr (isVector<Data>) {
      for (std::size_t i = 0; i < delta.size(); ++i)
        send(std::type_identity<typename Data::value_type>(), i, delta[i]);
    } else {
      [&]<std::size_t... i>(std::index_sequence<i...>) {
        (..., send(std::type_identity<std::tuple_element_t<i, Data>>(), i, std::get<i>(delta)));
      }(std::make_index_sequence<std::tuple_size_v<Data>>());
    }
  }

 private:
  template <class Part>
  static const Part& part(State& state, std::size_t index) noexcept {
    return *state.template operand<Part>(index).data;
  }
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
