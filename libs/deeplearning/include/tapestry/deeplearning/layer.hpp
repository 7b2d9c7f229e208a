// Defines Layer, a node of a network whose value depends on weights or on programs.
#pragma once

#include <concepts>
#include <cstddef>
#include <source_location>
#include <utility>

#include "tapestry/deeplearning/detail/node/do_node.hpp"
#include "tapestry/deeplearning/detail/node/literal_node.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// The argument of layerOf, which checks the type of the data.
struct DataChecked {};

}  // namespace detail

/// An immutable description, copied in O(1), of a value that a pass computes at most once, however many
/// layers consume it, and of the backward path of its deltas. Evaluated by forward, train, gradients and
/// predict.
template <class DataT>
class [[nodiscard("a layer does nothing until it is evaluated")]] Layer {
 public:
  using Data = DataT;
  using Delta = DeltaOf<Data>;

  /// A layer that a program makes when it is evaluated: by `flatMap` on the values of other layers, by
  /// `tuple2`, by `direct`. `place` is shown in graphs and in errors.
  explicit Layer(Do<Tape<Data, Delta>> program, std::source_location place = std::source_location::current())
      : node_(detail::makeRef<detail::DoNode<Data, Delta>>(std::move(program), place)) {}

  /// A constant.
  Layer(Data literal) : node_(detail::makeRef<detail::LiteralNode<Data>>(std::move(literal))) {}

  /// For the engine.
  template <std::derived_from<detail::GraphNode> Node>
    requires std::same_as<typename Node::Data, Data>
  explicit Layer(detail::Ref<Node> node) noexcept : node_(std::move(node)) {}
  /// For detail::layerOf. Precondition: the node has data of this type.
  Layer(detail::DataChecked, detail::Ref<detail::GraphNode> node) noexcept : node_(std::move(node)) {}

  /// x(i, j), a layer of one element of a tensor: include operations/layout/element.hpp.
  template <std::convertible_to<std::ptrdiff_t>... I>
    requires detail::isTensor<Data> && (sizeof...(I) > 0)
  auto operator()(I... indices) const {
    return element(*this, {static_cast<std::ptrdiff_t>(indices)...});
  }
  void operator()(...) const = delete;  // expected an index for each axis of a tensor

  const detail::Ref<detail::GraphNode>& node() const noexcept { return node_; }

 private:
  detail::Ref<detail::GraphNode> node_;
};

/// Layers of the four usual types of data.
using DoubleLayer = Layer<double>;
using FloatLayer = Layer<float>;
using TensorLayer = Layer<Tensor<float>>;
using DoubleTensorLayer = Layer<Tensor<double>>;

}  // namespace tapestry
#pragma GCC visibility pop
