// Defines what the engine asks of data: its elements, its dense delta, ones and zeros of its shape.
#pragma once

#include <concepts>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "tapestry/deeplearning/delta.hpp"
#include "tapestry/deeplearning/kernels/arithmetic.hpp"
#include "tapestry/deeplearning/kernels/broadcast.hpp"
#include "tapestry/deeplearning/kernels/squared_norm.hpp"

namespace tapestry::detail {

template <class V>
struct ElementOfImpl {
  using Type = V;
};
template <class T>
struct ElementOfImpl<Tensor<T>> {
  using Type = T;
};
/// T for a Tensor<T>, V itself for a scalar.
template <class V>
using ElementOf = typename ElementOfImpl<V>::Type;

template <class V>
inline constexpr bool isTensor = false;
template <class T>
inline constexpr bool isTensor<Tensor<T>> = true;

template <class T>
Tensor<T> filledLike(const Tensor<T>& value, T element) {
  return Tensor<T>::full(value.shape(), element);
}
template <std::floating_point T>
T filledLike(T, T element) noexcept {
  return element;
}

/// The delta as one value.
template <class T>
Tensor<T> denseOf(TensorDelta<T>&& delta) {
  return std::move(delta).dense();
}
template <class Delta>
Delta denseOf(Delta&& delta) noexcept {
  return std::move(delta);
}

template <class Data>
using DenseOf = decltype(denseOf(std::declval<DeltaOf<Data>>()));

template <class V>
concept HasNorm = std::floating_point<V> || isTensor<V>;

/// For clipByGlobalNorm. Throws std::logic_error for a type of the user's own.
template <class V>
double squaredNormOf(const V& gradient) {
  if constexpr (HasNorm<V>)
    return kernels::squaredNorm(gradient);
  else
    throw std::logic_error(
        "tapestry::clipByGlobalNorm: a gradient has no norm, got a type of one's own, expected scalars and "
        "tensors");
}

/// Precondition: the gradient has a norm.
template <class V>
V scaledBy([[maybe_unused]] double factor, V gradient) {
  if constexpr (HasNorm<V>)
    return kernels::scale(std::move(gradient), static_cast<ElementOf<V>>(factor));
  else
    return gradient;
}

/// The value as an operand of a kernel on Out: scalars take the element type of what they meet.
template <class Out, class A>
auto operandFor(const A& value) {
  if constexpr (std::floating_point<A> && std::floating_point<Out>)
    return static_cast<Out>(value);
  else
    return value;
}

/// A scalar that has met a tensor, as a tensor.
template <class Delta, class V>
auto asOperandOf(const Delta&, const V& value) {
  if constexpr (isTensor<Delta> && !isTensor<V>)
    return Tensor<V>::scalar(value);
  else
    return value;
}

/// A derivative as the delta of an operand of type A and of the given shape: summed where the operand was
/// broadcast, spread where it was reduced.
template <class A, class D>
DeltaOf<A> fitDelta(D delta, [[maybe_unused]] const Shape& shape) {
  if constexpr (std::same_as<D, DeltaOf<A>>)
    return delta;
  else if constexpr (isTensor<A> && isTensor<D>)
    return kernels::sumTo(delta, shape);
  else if constexpr (isTensor<A>)
    return Tensor<ElementOf<A>>::full(shape, static_cast<ElementOf<A>>(delta));
  else if constexpr (isTensor<D>)
    return static_cast<A>(kernels::sumTo(delta, Shape()).item());
  else
    return static_cast<A>(delta);
}

}  // namespace tapestry::detail
