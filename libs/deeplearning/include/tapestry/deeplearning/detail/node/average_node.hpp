// Defines AverageNode, a running average as a node of networks.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/deeplearning/detail/gradient_form.hpp"
#include "tapestry/deeplearning/detail/node/trainable_node.hpp"
#include "tapestry/deeplearning/detail/node/typed_state.hpp"
#include "tapestry/deeplearning/detail/node/weight_cell.hpp"
#include "tapestry/deeplearning/detail/pass/finite.hpp"
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

/// The rule of a running average, whose gradient is the mean of the observations.
template <class T>
struct FollowMean {
  template <class V>
  struct State {};

  template <class V>
  V step(const V& before, V mean, State<V>&) const {
    return kernels::add(kernels::scale(before, 1 - momentum), kernels::scale(std::move(mean), momentum));
  }

  T momentum;
};

/// Its deltas are observations.
template <class Data>
class AverageNode final : public TrainableNode {
  using State = TypedState<Data, Observations<Data>>;
  using T = ElementOf<Data>;

 public:
  AverageNode(Data initial, double momentum)
      : shape_(initial.shape()),
        momentum_(momentum),
        cell_(std::move(initial), Optimizer<Data>(FollowMean<T>{static_cast<T>(momentum)}).initial(),
              Stepping::serialised),
        state_(*this) {}

  Data read() const { return *cell_.snapshot().first; }
  double momentum() const noexcept { return momentum_; }
  void write(Data value) {
    if (value.shape() != shape_)
      throw ShapeError("RunningAverage::setData", "the shape differs", toString(value.shape()),
                       toString(shape_));
    cell_.write(std::move(value));
  }
  /// The value, and the FollowMean.
  auto snapshot() const { return cell_.snapshot(); }
  std::unique_ptr<Update> prepareWrite(Data value, Ref<const Stepper<Data>> stepper = nullptr) {
    return cell_.prepareWrite(Ref<Node>::share(this), std::move(value), std::move(stepper));
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
    extend::WeightForm form{{}, shape_, false, {shape_.size() + 1}, cell_.snapshot().second->kind()};
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

  /// Throws std::range_error for observations of the host that are not finite.
  std::unique_ptr<Update> prepare(NodeState& base, double) override {
    const Observations<Data>& seen = *static_cast<State&>(base).delta;
    if constexpr (isHostTensor<Data>)
      if (!isFinite(seen.sum))
        throw notFinite("train", "the sum of the observations of a running average", nonFinite(seen.sum));
    return cell_.prepareStep(kernels::scale(seen.sum, static_cast<T>(1 / seen.count)));
  }

 private:
  bool enterPass(const Pass& pass, NodeState& state) noexcept override {
    return enterWithData(pass, static_cast<State&>(state), cell_);
  }
  NodeState& slot() noexcept override { return state_; }
  std::unique_ptr<NodeState> makeState() override { return std::make_unique<State>(*this); }

  const Shape shape_;
  const double momentum_;
  WeightCell<Data> cell_;
  State state_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
