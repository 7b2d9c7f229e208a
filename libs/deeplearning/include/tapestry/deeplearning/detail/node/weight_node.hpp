// Defines WeightNode, a weight as a node of networks.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "tapestry/deeplearning/detail/gradient_form.hpp"
#include "tapestry/deeplearning/detail/node/typed_state.hpp"
#include "tapestry/deeplearning/detail/node/weight_cell.hpp"
#include "tapestry/deeplearning/detail/pass/device_checks.hpp"
#include "tapestry/deeplearning/detail/pass/finite.hpp"
#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/tensor/shape_error.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

template <class DataT>
class WeightNode final : public TrainableNode {
  using State = TypedState<DataT, DeltaOf<DataT>>;

 public:
  using Data = DataT;
  using Delta = DeltaOf<Data>;

  WeightNode(Data initial, const Optimizer<Data>& optimizer, Stepping how = Stepping::serialised)
      : TrainableNode(how == Stepping::serialised),
        cell_(std::move(initial), optimizer.initial(), how),
        state_(*this) {
    if constexpr (HasShape<Data>) shape_ = (*cell_.live()).shape();
  }

  Held<Data> read() const { return cell_.snapshot().first; }
  void write(Data value) {
    if constexpr (HasShape<Data>)
      if (value.shape() != shape_)
        throw ShapeError("Weight::setData", "the shape differs", toString(value.shape()), toString(shape_));
    cell_.write(std::move(value));
  }
  void replace(Ref<const Stepper<Data>> stepper) noexcept { cell_.replace(std::move(stepper)); }

  /// Returns the value and the optimizer with its state, as of one moment.
  auto snapshot() const { return cell_.snapshot(); }
  /// Sets the value, and the optimizer unless it is null, when it is committed. Precondition: the value has
  /// the weight's shape.
  std::unique_ptr<Update> prepareWrite(Data value, Ref<const Stepper<Data>> stepper) {
    return cell_.prepareWrite(Ref<Node>::share(this), std::move(value), std::move(stepper));
  }

  std::string_view name() const noexcept override { return "weight"; }
  const Shape* knownShape() const noexcept override {
    if constexpr (HasShape<Data>)
      return &shape_;
    else
      return nullptr;
  }

  void describe(extend::NodeDetails& details) const override {
    describeType<Data>(details, knownShape());
    details.kind = extend::NodeKind::weight;
    describeData(details, *cell_.snapshot().first);
  }
  void describeRows(extend::NodeDetails& details) const override {
    if constexpr (isTable<Data>) details.value = (*cell_.snapshot().first).dense();
  }

  float stepCost(const NodeState& state) const noexcept override {
    if constexpr (isHostTensor<Data>) {
      const auto& delta = static_cast<const State&>(state).delta;
      if (!worthInPlace(shape_, *delta)) return 500 + static_cast<float>(shape_.size()) / 2;
    }
    return 500;
  }

  std::shared_ptr<const void> gradientOf(const NodeState& state) const override {
    return std::make_shared<const DenseOf<Data>>(denseOf(Delta(*static_cast<const State&>(state).delta)));
  }

  Do<double> squaredNorm(NodeState& state) const override {
    auto& delta = static_cast<State&>(state).delta;
    if constexpr (TensorOfDevice<Data>) {
      return fetchSquaredNorm(*delta);
    } else {
      auto gradient = takeDense(state);
      const double squared = squaredNormOf(gradient);
      delta.emplace(deltaFrom<Delta>(std::move(gradient)));
      return Do<double>::now(squared);
    }
  }

  /// Passes the delta on as one value, so that no other data of the part are kept.
  void handOver(NodeState& from, NodeState& to) const override {
    static_cast<State&>(to).accept(deltaFrom<Delta>(takeDense(from)));
  }

  extend::WeightForm form() const override {
    const auto [value, stepper] = cell_.snapshot();
    return formOfWeight(*value, stepper->kind());
  }
  extend::Gradient takeGradient(NodeState& state) const override {
    return toGradient<Data>(takeDense(state));
  }
  void putGradient(NodeState& state, extend::Gradient gradient) const override {
    static_cast<State&>(state).delta.emplace(fromGradient<Data>(std::move(gradient)));
  }

  std::unique_ptr<Update> prepare(NodeState& state, double scale) override {
    static_cast<State&>(state).data.reset();
    if constexpr (TensorOfDevice<Data>) return prepareOnDevice(state, scale);
    if (scale != 1) return cell_.prepareStep(finiteGradient(scaledBy(scale, takeDense(state))));
    if constexpr (isHostTensor<Data>)
      return cell_.prepareStep(finiteGradient(takeDelta(state)));
    else
      return cell_.prepareStep(finiteGradient(takeDense(state)));
  }

 private:
  /// Whether the gradient is finite is known when the device has computed it, so that only checkFinite waits.
  std::unique_ptr<Update> prepareOnDevice(NodeState& state, double scale)
    requires TensorOfDevice<Data>
  {
    auto gradient = takeDense(state);
    if (scale != 1) gradient = scaledBy(scale, std::move(gradient));
    const Watch* watch = state.pass().watch();
    if (!watch || !watch->checksFinite) return cell_.prepareStep(std::move(gradient));
    auto isFinite = requireFiniteOnDevice("train", "the gradient of a weight", gradient);
    return afterwards(std::move(isFinite), cell_.prepareStep(std::move(gradient)));
  }

  static Delta takeDelta(NodeState& state) {
    Held<Delta> delta = std::exchange(static_cast<State&>(state).delta, std::nullopt);
    return std::move(*delta);
  }
  static DenseOf<Data> takeDense(NodeState& state) { return denseOf(takeDelta(state)); }

  bool enterPass(const Pass& pass, NodeState& state) noexcept override {
    return enterWithData(pass, static_cast<State&>(state), cell_);
  }
  NodeState& slot() noexcept override { return state_; }
  std::unique_ptr<NodeState> makeState() override { return std::make_unique<State>(*this); }

  WeightCell<Data> cell_;
  Shape shape_;
  State state_;
};

// Compiled once, in the library.
extern template class WeightNode<double>;
extern template class WeightNode<float>;
extern template class WeightNode<Tensor<float>>;
extern template class WeightNode<Tensor<double>>;

}  // namespace tapestry::detail
#pragma GCC visibility pop
