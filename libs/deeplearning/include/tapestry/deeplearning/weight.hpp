// Defines Weight, a value that training changes.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <utility>

#include "tapestry/deeplearning/detail/node/weight_node.hpp"
#include "tapestry/deeplearning/optimizers/sgd.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Declares a weight whose value is racy, TensorWeight(initial, sgd(0.1), hogwild): concurrent passes step it
/// in place without waiting for each other (Niu et al., "Hogwild!", 2011). A pass computes with the live
/// value, which other passes change meanwhile, and a step adds its difference to the value; if two steps add
/// to one element at once, one addition may be lost. If several steps begin at once, the optimizer keeps the
/// state (velocity, count) of the first step that ends, and drops the state of the others. No element is
/// torn, `data()` returns a copy, and all other guarantees hold, such as that a failed pass changes nothing.
/// Meant for sparse steps, which seldom meet.
struct Hogwild {};
inline constexpr Hogwild hogwild{};

namespace detail {
/// A type without values, so that every list of it is empty.
struct NoElement {
  NoElement(int, int) = delete;
};
}  // namespace detail

/// A handle, copied in O(1), on a value that each `train` pass changes by one step of its optimizer, on the
/// sum of the deltas that reached it in the pass. Passes may run concurrently: each reads one version of the
/// value, and their steps are serialised, without blocking a thread. While a large value is stepped in place,
/// a reader yields until the step has ended, some 0.3 ms at most.
template <class DataT>
class Weight {
 public:
  using Data = DataT;

  /// A weight that steps by sgd(0.01), which takes numbers and tensors.
  explicit Weight(Data initial)
    requires std::convertible_to<const Sgd&, Optimizer<Data>>
      : Weight(std::move(initial), sgd(0.01)) {}
  explicit Weight(  // expected Weight(initial, an OptimizerRule): user-defined data have no default
      const Data&)
    requires(!std::convertible_to<const Sgd&, Optimizer<Data>>)
  = delete;

  explicit Weight(Data initial, Optimizer<Data> optimizer)
      : node_(detail::makeRef<detail::WeightNode<Data>>(std::move(initial), optimizer)) {}

  /// A weight that concurrent passes step in place without waiting for each other, as `hogwild` asks.
  Weight(Data initial, Optimizer<Data> optimizer, Hogwild)
    requires detail::Racing<Data>
      : node_(detail::makeRef<detail::WeightNode<Data>>(std::move(initial), optimizer,
                                                        detail::Stepping::racing)) {}

  template <class Rule>
    requires(!std::convertible_to<const Rule&, Optimizer<Data>>)
  Weight(  // expected an OptimizerRule: State<V>, V step(const V& weight, V gradient, State<V>&), or a chain
      const Data&, const Rule&, ...) = delete;

  Weight() = delete;  // a weight begins with a value, expected Weight(initial)
  /// Weight({}) has a value-initialised Data; without this constructor it would be ambiguous with a copy of
  /// Weight().
  explicit Weight(std::initializer_list<detail::NoElement>) : Weight(Data()) {}

  /// Returns the current value. Thread-safe.
  Data data() const { return *node_->read(); }
  /// Replaces the value, and keeps the optimizer's state. Thread-safe; passes under way continue with the
  /// value that they have read, and a step that is being prepared meanwhile does not overwrite the new value.
  void setData(Data value) const { node_->write(std::move(value)); }
  /// Replaces the optimizer, which begins with its initial state. Thread-safe.
  void setOptimizer(const Optimizer<Data>& optimizer) const { node_->replace(optimizer.initial()); }
  void setOptimizer(  // expected an OptimizerRule: State<V>, V step(const V& weight, V gradient, State<V>&)
      ...) const = delete;

  /// x(i, j), a layer of one element of a tensor: include operations/layout/element.hpp.
  template <std::convertible_to<std::ptrdiff_t>... I>
    requires detail::isTensor<Data> && (sizeof...(I) > 0)
  auto operator()(I... indices) const {
    return element(*this, {static_cast<std::ptrdiff_t>(indices)...});
  }
  void operator()(...) const = delete;  // expected an index for each axis of a tensor

  const detail::Ref<detail::WeightNode<Data>>& node() const noexcept { return node_; }

 private:
  detail::Ref<detail::WeightNode<Data>> node_;
};

/// Weights of the four usual types of data.
using DoubleWeight = Weight<double>;
using FloatWeight = Weight<float>;
using TensorWeight = Weight<Tensor<float>>;
using DoubleTensorWeight = Weight<Tensor<double>>;

}  // namespace tapestry
#pragma GCC visibility pop
