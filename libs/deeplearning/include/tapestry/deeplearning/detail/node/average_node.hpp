// Defines AverageNode, a running average as a node of networks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "tapestry/deeplearning/detail/node/trainable_node.hpp"
#include "tapestry/deeplearning/detail/node/typed_node.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/shape_error.hpp"

namespace tapestry::detail {

/// The observations of a pass: the sum of `count` values.
template <class T>
struct Observations {
  Tensor<T> sum;
  std::size_t count = 1;

  Observations& operator+=(Observations&& other) {
    sum = kernels::add(std::move(sum), other.sum);
    count += other.count;
    return *this;
  }
};

/// In a pass, the node is open from the start, with the value of that moment, and collects observations until
/// the end of the pass.
template <class T>
class AverageNode final : public TypedNode<Tensor<T>, Observations<T>>, public TrainableNode {
  using State = TypedState<Tensor<T>, Observations<T>>;

 public:
  AverageNode(Tensor<T> initial, double momentum)
      : TypedNode<Tensor<T>, Observations<T>>(true),
        value_(std::move(initial)),
        momentum_(static_cast<T>(momentum)),
        shape_(value_.shape()),
        state_(*this) {}

  Tensor<T> read() {
    const SpinGuard guard(valueLock_);
    return value_;
  }
  void write(Tensor<T> value) {
    if (value.shape() != shape_)
      throw ShapeError("RunningAverage::setData", "the shape differs", toString(value.shape()),
                       toString(shape_));
    exchange(value);
  }
  std::unique_ptr<Update> prepareWrite(Tensor<T> value) {
    return updateBy([self = Ref<AverageNode>::share(this), value = std::move(value)]() mutable noexcept {
      self->exchange(value);
    });
  }
  /// Throws ShapeError for the shape of a value that cannot be observed.
  void requireShape(const Shape& observed) const {
    if (observed != shape_)
      throw ShapeError("RunningAverage::observe", "the shape differs", toString(observed), toString(shape_));
  }

  std::string_view name() const noexcept override { return "runningAverage"; }
  void open(Run&, NodeState&) override {}
  void flush(Run&, NodeState&, ReadyList&) override {}
  TrainableNode* asTrainable() noexcept override { return this; }
  const Shape* knownShape() const noexcept override { return &shape_; }

  bool touched(const NodeState& state) const noexcept override {
    return static_cast<const State&>(state).delta.has_value();
  }
  /// An observation is not a gradient: it yields none, and it is not clipped.
  std::shared_ptr<const void> gradientOf(const NodeState&) const override { return nullptr; }
  double squaredNorm(NodeState&) const override { return 0; }

  void handOver(NodeState& from, NodeState& to) const override {
    static_cast<State&>(to).accept(std::move(*static_cast<State&>(from).delta));
  }
  /// A user's write between the preparation and the commit wins over the step.
  std::unique_ptr<Update> prepare(NodeState& base, double) override {
    const Observations<T>& seen = *static_cast<State&>(base).delta;
    const T share = momentum_ / static_cast<T>(seen.count);
    Tensor<T> before;
    std::uint64_t writes = 0;
    {
      const SpinGuard guard(valueLock_);
      before = value_;
      writes = writes_;
    }
    Tensor<T> after = kernels::add(kernels::scale(before, 1 - momentum_), kernels::scale(seen.sum, share));
    return updateBy([this, after = std::move(after), writes]() mutable noexcept {
      const SpinGuard guard(valueLock_);
      if (writes_ == writes) std::swap(value_, after);
    });
  }

 private:
  void exchange(Tensor<T>& value) noexcept {
    const SpinGuard guard(valueLock_);
    std::swap(value_, value);
    ++writes_;
  }

  bool enterPass(const Pass& pass, NodeState& state) noexcept override {
    const NodeState* whole = this->stateInWhole(pass);
    static_cast<State&>(state).data = whole ? static_cast<const State*>(whole)->data : std::optional(read());
    state.uncounted = true;
    state.phase = Phase::open;
    return true;
  }
  NodeState& slot() noexcept override { return state_; }
  std::unique_ptr<NodeState> makeState() override { return std::make_unique<State>(*this); }

  SpinLock valueLock_;  ///< guards value_ and writes_
  Tensor<T> value_;
  std::uint64_t writes_ = 0;  ///< the number of writes by a user; steps are not counted
  const T momentum_;
  const Shape shape_;
  State state_;
};

}  // namespace tapestry::detail
