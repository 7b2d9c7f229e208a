// Defines LiteralNode, a constant of a network.
#pragma once

#include <memory>
#include <utility>

#include "tapestry/deeplearning/detail/node/typed_state.hpp"
#include "tapestry/deeplearning/extend/node_details.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Always open, in every pass; no delta reaches it.
template <class DataT, class Delta = DeltaOf<DataT>>
class LiteralNode final : public GraphNode {
  using State = TypedState<DataT, Delta>;

 public:
  using Data = DataT;

  explicit LiteralNode(Data data) : GraphNode(false), state_(*this) {
    state_.data.emplace(std::move(data));
    state_.phase = Phase::open;
    state_.uncounted = state_.constant = true;
  }

  const Data& data() const noexcept { return *state_.data; }
  const Shape* knownShape() const noexcept override {
    if constexpr (isTensor<Data>)
      return &data().shape();
    else
      return nullptr;
  }
  void describe(extend::NodeDetails& details) const override {
    describeType<Data>(details, knownShape());
    details.kind = extend::NodeKind::literal;
    describeData(details, data());
  }
  std::string_view name() const noexcept override { return "literal"; }

 private:
  NodeState& slot() noexcept override { return state_; }
  std::unique_ptr<NodeState> makeState() override { return nullptr; }

  State state_;
};

// Compiled once, in the library.
extern template class LiteralNode<double>;
extern template class LiteralNode<float>;
extern template class LiteralNode<Tensor<float>>;
extern template class LiteralNode<Tensor<double>>;

}  // namespace tapestry::detail
#pragma GCC visibility pop
