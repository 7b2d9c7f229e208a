// Defines PartsNode, a tuple, pair, array or vector of nodes as one node.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "tapestry/deeplearning/detail/node/range_node.hpp"
#include "tapestry/deeplearning/detail/value.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

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
