// Defines DeepLearning, the type class of all that can be an operand of a network, and Differentiable, its
// concept.
#pragma once

#include <concepts>
#include <type_traits>

#include "tapestry/deeplearning/layer.hpp"
#include "tapestry/deeplearning/weight.hpp"

namespace tapestry {

/// The paper's type class DeepLearning[A] (section 3.3). Specialise it for a type T of your own, with the
/// types Data and Delta, where Delta is DeltaOf<Data>, and
///   static Do<Tape<Data, Delta>> forward(const T&);
template <class T>
struct DeepLearning;

template <class T>
concept Differentiable = requires(const T& value) {
  typename DeepLearning<T>::Data;
  typename DeepLearning<T>::Delta;
  {
    DeepLearning<T>::forward(value)
  } -> std::same_as<Do<Tape<typename DeepLearning<T>::Data, typename DeepLearning<T>::Delta>>>;
};

/// What a differentiable evaluates to.
template <class T>
using DataOf = typename DeepLearning<T>::Data;

/// Whether T is plain data, which no delta reaches.
template <class T>
inline constexpr bool isLiteral = std::same_as<DataOf<T>, T>;

/// The program that evaluates a differentiable in the pass of its run: its tape, as a resource. In one pass,
/// a layer or weight is evaluated once. Fails with NoPass outside a pass.
template <Differentiable T>
[[nodiscard]] auto forward(const T& differentiable) {
  return DeepLearning<T>::forward(differentiable);
}

namespace detail {

template <class Node>
auto acquireNode(const Ref<Node>& node) {
  using Result = Do<Tape<typename Node::Data, typename Node::Delta>>;
  return Result(UnitContinuation<typename Result::Acquired>(Ref<const ProgramNode>(node)));
}

template <class T>
struct LiteralInstance {
  using Data = T;
  using Delta = DeltaOf<T>;
  static auto forward(const T& literal) { return acquireNode(makeRef<LiteralNode<T>>(literal)); }
};

template <class T>
struct NodeInstance {
  using Data = typename T::Data;
  using Delta = DeltaOf<Data>;
  static auto forward(const T& value) { return acquireNode(value.node()); }
};

}  // namespace detail

template <>
struct DeepLearning<double> : detail::LiteralInstance<double> {};
template <>
struct DeepLearning<float> : detail::LiteralInstance<float> {};
template <class T>
struct DeepLearning<Tensor<T>> : detail::LiteralInstance<Tensor<T>> {};
template <class Data>
struct DeepLearning<Layer<Data>> : detail::NodeInstance<Layer<Data>> {};
template <class Data>
struct DeepLearning<Weight<Data>> : detail::NodeInstance<Weight<Data>> {};

/// In a block of direct<Do>, `!layer`, or `co_await layer`, evaluates the layer in the pass, and gives its
/// data.
template <class L>
  requires Differentiable<L> && (!isLiteral<L>)
[[nodiscard]] Do<DataOf<L>> toProgram(const L& layer) {
  return forward(layer).map([](const auto& tape) { return tape.data; });
}

/// The node of a differentiable, as an operand.
template <Differentiable T>
detail::Ref<detail::TypedNode<DataOf<T>, DeltaOf<DataOf<T>>>> nodeOf(const T& differentiable) {
  if constexpr (requires { differentiable.node(); })
    return differentiable.node();
  else if constexpr (isLiteral<T>)
    return detail::makeRef<detail::LiteralNode<T>>(differentiable);
  else
    return detail::makeRef<detail::DoNode<DataOf<T>, DeltaOf<DataOf<T>>>>(forward(differentiable));
}

/// What differentiables may meet in an operation: any, but tensors only with tensors of the same element
/// type.
template <class A, class B>
concept Meeting =
    Differentiable<A> && Differentiable<B> &&
    (!detail::isTensor<DataOf<A>> || !detail::isTensor<DataOf<B>> || std::same_as<DataOf<A>, DataOf<B>>);

/// What differentiables may be mixed in operators: not two scalars, whose operators are built in.
template <class A, class B>
concept DifferentiablePair = Meeting<A, B> && (!std::floating_point<A> || !std::floating_point<B>);

}  // namespace tapestry
