// Defines AverageNode, a running average as a node of networks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/deeplearning/detail/gradient_form.hpp"
#include "tapestry/deeplearning/detail/node/trainable_node.hpp"
#include "tapestry/deeplearning/detail/node/typed_state.hpp"
#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/shape_error.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The observations of a pass: the sum of `count` values.
template <class Data>
struct Observations {
  Data sum;
  double count = 1;

  Observations& operator+=(Observations&& other) {
    sum = kernels::add(std::move(sum), other.sum);
    count += other.count;
    return *this;
  }
};

/// Its deltas are observations.
template <class Data>
class AverageNode final : public TrainableNode {
  using State = TypedState<Data, Observations<Data>>;
  using T = ElementOf<Data>;

 public:
  AverageNode(Data initial, double momentum)
      : value_(std::move(initial)),
        momentum_(static_cast<T>(momentum)),
        shape_((*value_).shape()),
        state_(*this) {}

  Data read() const { return *held().first; }
  void write(Data value) {
    if (value.shape() != shape_)
      throw ShapeError("RunningAverage::setData", "the shape differs", toString(value.shape()),
                       toString(shape_));
    Held<Data> written(std::move(value));
    exchange(written);
  }
  std::unique_ptr<Update> prepareWrite(Data value) {
    return updateBy([self = Ref<AverageNode>::share(this),
                     value = Held<Data>(std::move(value))]() mutable noexcept { self->exchange(value); });
  }
  /// Throws ShapeError for the shape of a value that cannot be observed.
  void requireShape(const Shape& observed) const {
    if (observed != shape_)
      throw ShapeError("RunningAverage::observe", "the shape differs", toString(observed), toString(shape_));
  }

  std::string_view name() const noexcept override { return "runningAverage"; }
  const Shape* knownShape() const noexcept override { return &shape_; }

  void describe(extend::NodeDetails& details) const override {
    describeType<Data>(details, knownShape());
    details.kind = extend::NodeKind::average;
    describeData(details, read());
  }

  /// An observation is not a gradient: it yields none, and it is not clipped.
  std::shared_ptr<const void> gradientOf(const NodeState&) const override { return nullptr; }
  Do<double> squaredNorm(NodeState&) const override { return Do<double>::now(0); }

  void handOver(NodeState& from, NodeState& to) const override {
    static_cast<State&>(to).accept(std::move(*static_cast<State&>(from).delta));
  }
  extend::WeightForm form() const override {
    extend::WeightForm form{{}, shape_, false, {shape_.size() + 1}, "momentum " + std::to_string(momentum_)};
    if constexpr (isHostTensor<Data>) form.type = typeName<T>;
    return form;
  }
  extend::Gradient takeGradient(NodeState& base) const override {
    const Held<Observations<Data>> seen = std::exchange(static_cast<State&>(base).delta, std::nullopt);
    if constexpr (isHostTensor<Data>) {
      Tensor<T> numbers = Tensor<T>::uninitialized({shape_.size() + 1});
      std::ranges::copy((*seen).sum.values(), numbers.exclusiveData());
      numbers.exclusiveData()[shape_.size()] = static_cast<T>((*seen).count);
      return numbers;
    } else {
      throw notNumbers();
    }
  }
  void putGradient(NodeState& base, extend::Gradient gradient) const override {
    if constexpr (isHostTensor<Data>) {
      const auto& numbers = std::get<Tensor<T>>(gradient);
      const double count = numbers.values().back();
      Tensor<T> sum(shape_, numbers.values().first(shape_.size()));
      if (count != 0) static_cast<State&>(base).delta.emplace(Observations<Data>{std::move(sum), count});
    } else {
      throw notNumbers();
    }
  }

  /// A user's write between the preparation and the commit wins over the step.
  std::unique_ptr<Update> prepare(NodeState& base, double) override {
    const Observations<Data>& seen = *static_cast<State&>(base).delta;
    const T share = static_cast<T>(static_cast<double>(momentum_) / seen.count);
    const auto [before, writes] = held();
    Data after = kernels::add(kernels::scale(*before, 1 - momentum_), kernels::scale(seen.sum, share));
    std::optional<Do<void>> issued;  // computes the value, so that it does not keep what it is made of
    if constexpr (OwnKernels<Data>) issued = after.issued();
    return updateBy(replacing(std::move(after), writes), std::move(issued));
  }

 private:
  /// The value, and the number of writes so far.
  std::pair<Held<Data>, std::uint64_t> held() const noexcept {
    const SpinGuard guard(valueLock_);
    return {value_, writes_};
  }
  void exchange(Held<Data>& value) noexcept {
    const SpinGuard guard(valueLock_);
    std::swap(value_, value);
    ++writes_;
  }

  /// Sets the value unless a user has written one since.
  auto replacing(Data after, std::uint64_t writes) {
    return [this, after = Held<Data>(std::move(after)), writes]() mutable noexcept {
      const SpinGuard guard(valueLock_);
      if (writes_ == writes) std::swap(value_, after);
    };
  }

  bool enterPass(const Pass& pass, NodeState& state) noexcept override {
    const NodeState* whole = stateInWhole(pass);
    static_cast<State&>(state).data = whole ? static_cast<const State*>(whole)->data : held().first;
    enterAsWeight(pass, state);
    return true;
  }
  NodeState& slot() noexcept override { return state_; }
  std::unique_ptr<NodeState> makeState() override { return std::make_unique<State>(*this); }

  mutable SpinLock valueLock_;  ///< guards value_ and writes_
  Held<Data> value_;
  std::uint64_t writes_ = 0;  ///< the number of writes by a user; steps are not counted
  const T momentum_;
  const Shape shape_;
  State state_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
