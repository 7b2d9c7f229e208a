// Defines WeightNode, a weight as a node of networks.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "tapestry/deeplearning/detail/trainable_node.hpp"
#include "tapestry/deeplearning/detail/typed_node.hpp"
#include "tapestry/deeplearning/detail/value.hpp"
#include "tapestry/deeplearning/optimizer.hpp"
#include "tapestry/deeplearning/shape_error.hpp"

namespace tapestry::detail {

/// Versions of the data share memory, which holds the one that was settled last.
template <class Data>
concept Settling = requires(const Data& data) {
  { data.settle() } noexcept;
};

/// In a pass it is open from the start, with the value of that moment, and gathers deltas until the pass's
/// end.
template <class Data>
class WeightNode final : public TypedNode<Data, DeltaOf<Data>>, public TrainableNode {
  using State = TypedState<Data, DeltaOf<Data>>;

 public:
  using Delta = DeltaOf<Data>;

  WeightNode(Data initial, const Optimizer<Data>& optimizer)
      : value_(std::move(initial)), stepper_(optimizer.initial()), state_(*this) {
    if constexpr (HasShape<Data>) shape_ = (*value_).shape();
  }

  Held<Data> read() {
    const SpinGuard guard(valueLock_);
    return value_;
  }
  void write(Data value) {
    if constexpr (HasShape<Data>)
      if (value.shape() != shape_)
        throw ShapeError("Weight::setData", "the shape differs", toString(value.shape()), toString(shape_));
    Held<Data> written(std::move(value));
    const SpinGuard guard(valueLock_);
    std::swap(value_, written);
    ++writes_;
  }
  /// The value, and the optimizer with what it has learnt, of one moment.
  std::pair<Held<Data>, Ref<const Stepper<Data>>> snapshot() {
    const SpinGuard guard(valueLock_);
    return {value_, stepper_};
  }
  /// Sets both when it is committed. Precondition: the value has the weight's shape.
  std::unique_ptr<PreparedStep> prepareWrite(Data value, Ref<const Stepper<Data>> stepper) {
    return std::make_unique<Write>(*this, std::move(value), std::move(stepper));
  }
  void replace(Ref<const Stepper<Data>> stepper) noexcept {
    const SpinGuard guard(valueLock_);
    std::swap(stepper_, stepper);
  }

  std::string_view name() const noexcept override { return "weight"; }
  bool trainable() const noexcept override { return true; }
  float cost() const noexcept override { return 0; }
  void open(Run&, NodeState&) override {}
  void flush(Run&, NodeState&, ReadyList&) override {}
  TrainableNode* asTrainable() noexcept override { return this; }
  const Shape* knownShape() const noexcept override {
    if constexpr (HasShape<Data>)
      return &shape_;
    else
      return nullptr;
  }

  bool touched(const NodeState& state) const noexcept override {
    return static_cast<const State&>(state).delta.has_value();
  }
  std::shared_ptr<const void> gradientOf(const NodeState& state) const override {
    return std::make_shared<const DenseOf<Data>>(denseOf(Delta(*static_cast<const State&>(state).delta)));
  }

  double squaredNorm(NodeState& base) const override {
    auto& state = static_cast<State&>(base);
    Held<Delta> delta = std::exchange(state.delta, std::nullopt);
    auto gradient = denseOf(std::move(*delta));
    const double squared = squaredNormOf(gradient);
    state.delta.emplace(std::move(gradient));
    return squared;
  }

  std::unique_ptr<PreparedStep> prepare(NodeState& base, double scale) override {
    auto& state = static_cast<State&>(base);
    state.data.reset();
    Held<Data> before;
    Ref<const Stepper<Data>> stepper;
    std::uint64_t writes = 0;
    {
      const SpinGuard guard(valueLock_);
      before = value_;
      stepper = stepper_;
      writes = writes_;
    }
    Held<Delta> delta = std::exchange(state.delta, std::nullopt);
    auto gradient = denseOf(std::move(*delta));
    if (scale != 1) gradient = scaledBy(scale, std::move(gradient));
    Stepped<Data> stepped = stepper->step(*before, std::move(gradient));
    return std::make_unique<Step>(*this, std::move(stepped), std::move(stepper), writes);
  }

 private:
  struct Step final : PreparedStep {
    Step(WeightNode& node, Stepped<Data> stepped, Ref<const Stepper<Data>> stepper, std::uint64_t writes)
        : node_(node),
          value_(std::move(stepped.weight)),
          next_(std::move(stepped.next)),
          stepper_(std::move(stepper)),
          writes_(writes) {}

    void commit() noexcept override {
      const auto taken = value_;
      const auto learnt = next_;
      {
        const SpinGuard guard(node_.valueLock_);
        if (node_.writes_ == writes_) std::swap(node_.value_, value_);
        if (node_.stepper_ == stepper_) std::swap(node_.stepper_, next_);
      }
      if constexpr (Settling<Data>) {
        taken->settle();
        learnt->settle();
      }
    }

   private:
    WeightNode& node_;
    Held<Data> value_;
    Ref<const Stepper<Data>> next_;
    // what the step was made from: what a user has set meanwhile stays
    const Ref<const Stepper<Data>> stepper_;
    const std::uint64_t writes_;
  };

  struct Write final : PreparedStep {
    Write(WeightNode& node, Data value, Ref<const Stepper<Data>> stepper)
        : node_(Ref<WeightNode>::share(&node)), value_(std::move(value)), stepper_(std::move(stepper)) {}

    void commit() noexcept override {
      const SpinGuard guard(node_->valueLock_);
      std::swap(node_->value_, value_);
      std::swap(node_->stepper_, stepper_);
      ++node_->writes_;
    }

   private:
    const Ref<WeightNode> node_;
    Held<Data> value_;
    Ref<const Stepper<Data>> stepper_;
  };

  void enterPass(NodeState& state) noexcept override {
    static_cast<State&>(state).data = read();
    state.uncounted = true;
    state.phase = Phase::open;
  }
  NodeState& slot() noexcept override { return state_; }
  std::unique_ptr<NodeState> makeState() override { return std::make_unique<State>(*this); }

  SpinLock valueLock_;  ///< guards value_, writes_ and stepper_
  Held<Data> value_;
  std::uint64_t writes_ = 0;  ///< of a user, not of steps
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
