// Defines DeepLearning, the type class of all types that can be operands of a network, and Differentiable,
// its concept.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <span>  // the concepts of ranges, without the views
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tapestry/deeplearning/detail/node/range_node.hpp"
#include "tapestry/deeplearning/layer.hpp"
#include "tapestry/deeplearning/weight.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The paper's type class DeepLearning[A] (section 4). Specialise it for a user-defined type T, with the
/// types Data and Delta, where Delta is DeltaOf<Data>, and
///   static Do<Tape<Data, Delta>> forward(const T&);
template <class T>
struct DeepLearning;

/// A type with an instance of DeepLearning, so that its values can be operands of a network.
template <class T>
concept Differentiable = requires { typename DeepLearning<T>::Data; } && requires(const T& value) {
  typename DeepLearning<T>::Delta;
  {
    DeepLearning<T>::forward(value)
  } -> std::same_as<Do<Tape<typename DeepLearning<T>::Data, typename DeepLearning<T>::Delta>>>;
};

/// The type of the data that a differentiable evaluates to.
template <class T>
using DataOf = typename DeepLearning<T>::Data;

/// Whether T is plain data, which no delta reaches.
template <class T>
inline constexpr bool isLiteral = std::same_as<DataOf<T>, T>;

/// Returns the program that evaluates a differentiable in the pass of its run and yields its tape as a
/// resource. In one pass, a layer or weight is evaluated once. Fails with NoPass outside a pass.
template <Differentiable T>
[[nodiscard]] auto forward(const T& differentiable) {
  return DeepLearning<T>::forward(differentiable);
}
void forward(...) = delete;  // expected a Differentiable: a layer, a weight, data, a tuple or range of these

/// Returns the node of a differentiable, as an operand.
template <Differentiable T>
detail::Ref<detail::GraphNode> nodeOf(const T& differentiable) {
  if constexpr (requires { DeepLearning<T>::node(differentiable); })
    return DeepLearning<T>::node(differentiable);
  else if constexpr (isLiteral<T>)
    return detail::makeRef<detail::LiteralNode<T>>(differentiable);
  else
    return detail::makeRef<detail::DoNode<DataOf<T>, DeltaOf<DataOf<T>>>>(forward(differentiable));
}
void nodeOf(...) = delete;  // expected a Differentiable

namespace detail {

/// Returns a layer that is the node of a differentiable.
template <Differentiable T>
Layer<DataOf<T>> layerOf(const T& differentiable) {
  return {DataChecked(), nodeOf(differentiable)};
}

/// An instance for a type T for which Self::node makes a node.
template <class Self, class T, class DataT>
struct NodeInstance {
  using Data = DataT;
  using Delta = DeltaOf<Data>;
  static auto forward(const T& value) {
    using Result = Do<Tape<Data, Delta>>;
    return Result(UnitContinuation<typename Result::Acquired>(Ref<const ProgramNode>(Self::node(value))));
  }
};

template <class T>
struct LiteralInstance : NodeInstance<LiteralInstance<T>, T, T> {
  static auto node(const T& literal) { return makeRef<LiteralNode<T>>(literal); }
};

template <class T>
struct HandleInstance : NodeInstance<HandleInstance<T>, T, typename T::Data> {
  static auto node(const T& handle) { return handle.node(); }
};

template <class T, class Data>
struct PartsInstance : NodeInstance<PartsInstance<T, Data>, T, Data> {
  static auto node(const T& parts) {
    std::vector<Ref<GraphNode>> nodes;
    if constexpr (isTuple<T>)
      std::apply([&](const auto&... part) { (..., nodes.push_back(nodeOf(part))); }, parts);
    else
      for (const auto& part : parts) nodes.push_back(nodeOf(part));
    return makeRef<PartsNode<Data>>(std::move(nodes));
  }
};

/// A structure of plain data is a literal.
template <class T, class Data>
using StructureInstance =
    std::conditional_t<std::same_as<T, Data>, LiteralInstance<T>, PartsInstance<T, Data>>;

// A range whose values have its own type, such as std::filesystem::path, would need instances without end.
template <class R>
concept RangeOfParts =
    std::ranges::forward_range<const R> && !std::same_as<std::ranges::range_value_t<const R>, R> &&
    Differentiable<std::ranges::range_value_t<const R>>;

}  // namespace detail

template <>
struct DeepLearning<double> : detail::LiteralInstance<double> {};
template <>
struct DeepLearning<float> : detail::LiteralInstance<float> {};
template <class T>
struct DeepLearning<Tensor<T>> : detail::LiteralInstance<Tensor<T>> {};
template <OwnKernels T>
struct DeepLearning<T> : detail::LiteralInstance<T> {};
template <class Data>
struct DeepLearning<Layer<Data>> : detail::HandleInstance<Layer<Data>> {};
template <class Data>
struct DeepLearning<Weight<Data>> : detail::HandleInstance<Weight<Data>> {};

// The parts of tuples, pairs, arrays and ranges of differentiables are evaluated in parallel if they are
// worth a fork, and get their parts of the delta in parallel; the data of a range is a vector.
template <Differentiable... A>
struct DeepLearning<std::tuple<A...>>
    : detail::StructureInstance<std::tuple<A...>, std::tuple<DataOf<A>...>> {};
template <Differentiable A, Differentiable B>
struct DeepLearning<std::pair<A, B>>
    : detail::StructureInstance<std::pair<A, B>, std::pair<DataOf<A>, DataOf<B>>> {};
template <Differentiable A, std::size_t n>
struct DeepLearning<std::array<A, n>>
    : detail::StructureInstance<std::array<A, n>, std::array<DataOf<A>, n>> {};
template <detail::RangeOfParts R>
struct DeepLearning<R>
    : detail::StructureInstance<R, std::vector<DataOf<std::ranges::range_value_t<const R>>>> {};

/// In a block of direct<Do>, `!layer`, or `co_await layer`, evaluates the layer in the pass and returns its
/// data.
template <class L>
  requires Differentiable<L> && (!isLiteral<L>)
[[nodiscard]] Do<DataOf<L>> toProgram(const L& layer) {
  return forward(layer).map([](const auto& tape) { return tape.data; });
}

}  // namespace tapestry
#pragma GCC visibility pop
