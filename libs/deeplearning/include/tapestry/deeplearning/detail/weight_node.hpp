// Defines WeightNode, a weight as a node of networks.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "tapestry/deeplearning/detail/trainable_node.hpp"
#include "tapestry/deeplearning/detail/typed_node.hpp"
#include "tapestry/deeplearning/detail/value.hpp"
#include "tapestry/deeplearning/optimizer.hpp"
#include "tapestry/deeplearning/shape_error.hpp"

namespace tapestry::detail {

/// In a pass it is open from the start, with the value of that moment, and gathers deltas until the pass's
/// end.
template <class Data>
class WeightNode final : public TypedNode<Data, DeltaOf<Data>>, public TrainableNode {
  using State = TypedState<Data, DeltaOf<Data>>;

 public:
  using Delta = DeltaOf<Data>;

  WeightNode(Data initial, const Optimizer<Data>& optimizer)
      : value_(std::move(initial)), stepper_(optimizer.initial()), state_(*this) {
    if constexpr (isTensor<Data>) shape_ = value_.shape();
  }

  Data read() {
    const SpinGuard guard(valueLock_);
    return value_;
  }
  void write(Data value) {
    if constexpr (isTensor<Data>)
      if (value.shape() != shape_)
        throw ShapeError("Weight::setData", "the shape differs", toString(value.shape()), toString(shape_));
    const SpinGuard guard(valueLock_);
    std::swap(value_, value);
  }
  void replace(Ref<const Stepper<Data>> stepper) noexcept {
    const SpinGuard guard(valueLock_);
    std::swap(stepper_, stepper);
  }

  bool trainable() const noexcept override { return true; }
  float cost() const noexcept override { return 0; }
  void open(Run&, NodeState&) override {}
  void flush(Run&, NodeState&, ReadyList&) override {}
  TrainableNode* asTrainable() noexcept override { return this; }
  const Shape* knownShape() const noexcept override {
    if constexpr (isTensor<Data>)
      return &shape_;
    else
      return nullptr;
  }

  bool touched(const NodeState& state) const noexcept override {
    return static_cast<const State&>(state).delta.has_value();
  }
  std::shared_ptr<const void> gradientOf(const NodeState& state) const override {
    return std::make_shared<const Data>(denseOf(Delta(*static_cast<const State&>(state).delta)));
  }

  std::unique_ptr<PreparedStep> prepare(NodeState& base) override {
    auto& state = static_cast<State&>(base);
    state.data.reset();
    Data before;
    Ref<const Stepper<Data>> stepper;
    {
      const SpinGuard guard(valueLock_);
      before = value_;
      stepper = stepper_;
    }
    return std::make_unique<Step>(
        *this, stepper->step(before, denseOf(*std::exchange(state.delta, std::nullopt))), std::move(stepper));
  }

 private:
  struct Step final : PreparedStep {
    Step(WeightNode& weight, Stepped<Data> stepped, Ref<const Stepper<Data>> old) noexcept
        : node(weight), result(std::move(stepped)), before(std::move(old)) {}
    void commit() noexcept override {
      const SpinGuard guard(node.valueLock_);
      std::swap(node.value_, result.weight);
      if (node.stepper_ == before) std::swap(node.stepper_, result.next);
    }
    WeightNode& node;
    Stepped<Data> result;
    Ref<const Stepper<Data>> before;  ///< another optimizer may have been set meanwhile
  };

  void enterPass(NodeState& state) noexcept override {
    static_cast<State&>(state).data.emplace(read());
    state.uncounted = true;
    state.phase = Phase::open;
  }
  NodeState& slot() noexcept override { return state_; }
  std::unique_ptr<NodeState> makeState() override { return std::make_unique<State>(*this); }

  SpinLock valueLock_;  ///< guards value_ and stepper_
  Data value_;
  Ref<const Stepper<Data>> stepper_;
  Shape shape_;
  State state_;
};

// Compiled once, in the library.
extern template class WeightNode<double>;
extern template class WeightNode<float>;
extern template class WeightNode<Tensor<float>>;
extern template class WeightNode<Tensor<double>>;

}  // namespace tapestry::detail
