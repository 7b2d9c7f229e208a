// Defines RunningAverage, a running average of values that passes observe.
#pragma once

#include <utility>

#include "tapestry/deeplearning/detail/node/average_node.hpp"
#include "tapestry/deeplearning/detail/parameters.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// A handle, copied in O(1), on a value that each pass of `train` updates by value' = (1 - momentum) * value
/// + momentum * mean, where mean is the mean of the values observed in the pass. It is updated when the
/// weights take their steps: all of them or none. No delta reaches it. The value is a tensor of the host or
/// of another library.
template <class DataT>
  requires detail::isTensor<DataT>
class RunningAverage {
 public:
  using Data = DataT;

  /// Throws std::invalid_argument unless 0 <= momentum <= 1.
  explicit RunningAverage(Data initial, double momentum = 0.1)
      : node_(makeNode(std::move(initial), momentum)) {}

  /// Returns the current value. Thread-safe.
  Data data() const { return node_->read(); }
  /// Replaces the value. Throws ShapeError for a value of another shape. Thread-safe.
  void setData(Data value) const { node_->write(std::move(value)); }

  /// Yields the value that the pass of the run has read, which is the same throughout the pass. Fails with
  /// NoPass outside a pass.
  [[nodiscard]] Do<Data> read() const {
    return acquire().map([](const auto& tape) { return tape.data; });
  }
  /// Records a value for the step at the end of the pass, if the pass takes a step. Fails with ShapeError for
  /// a value of another shape. Fails with NoPass outside a pass. A step fails with std::range_error, and
  /// nothing changes, if the sum of the values is not finite; values of a device are not checked.
  [[nodiscard]] Do<void> observe(Data value) const {
    return acquire().flatMap([value = std::move(value), node = node_](const auto& tape) {
      node->requireShape(value.shape());
      return Do<void>::lift(tape.backward(Do<detail::Observations<Data>>::now({value})));
    });
  }

  const detail::Ref<detail::AverageNode<Data>>& node() const noexcept { return node_; }

 private:
  static detail::Ref<detail::AverageNode<Data>> makeNode(Data initial, double momentum) {
    detail::requireMomentum("RunningAverage", momentum);
    return detail::makeRef<detail::AverageNode<Data>>(std::move(initial), momentum);
  }
  auto acquire() const {
    using Result = Do<Tape<Data, detail::Observations<Data>>>;
    return Result(UnitContinuation<typename Result::Acquired>(detail::Ref<const detail::ProgramNode>(node_)));
  }

  detail::Ref<detail::AverageNode<Data>> node_;
};

}  // namespace tapestry
#pragma GCC visibility pop
