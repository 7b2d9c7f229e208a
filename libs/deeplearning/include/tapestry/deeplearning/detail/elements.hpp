// Defines the engine's access to data: its elements, its dense delta, ones and zeros of its shape, and
// PlaceFor, the place that the data are at.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tapestry/deeplearning/delta.hpp"
#include "tapestry/tensor/kernels/own_kernels.hpp"
#include "tapestry/tensor/tensor.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// ElementOf<Table<T>> is T, as for tensors of T.
template <class T>
struct ElementOfImpl<Table<T>> {
  using Type = T;
};

/// Whether V is a Tensor<T>.
template <class V>
inline constexpr bool isHostTensor = false;
template <class T>
inline constexpr bool isHostTensor<Tensor<T>> = true;

/// Whether V is a Tensor<T> or a tensor that another library defines.
template <class V>
inline constexpr bool isTensor = isHostTensor<V> || OwnKernels<V>;

/// The tensors of T: of the host for a type of elements, or T itself.
template <class T>
struct TensorForImpl {
  using Type = T;
};
template <std::floating_point T>
struct TensorForImpl<T> {
  using Type = Tensor<T>;
};
template <class T>
using TensorFor = typename TensorForImpl<T>::Type;

/// Returns tensors of the host as tensors of type Values, such as
/// [device](const Tensor<float>& x) { return DeviceTensor<float>(device, x); }
template <class P, class Values>
concept PlaceFor = requires(const P& place, Tensor<ElementOf<Values>> x) {
  { place(std::move(x)) } -> std::convertible_to<Values>;
};

/// Leaves the values on the host.
struct OnHost {
  template <class T>
  Tensor<T> operator()(Tensor<T> x) const {
    return x;
  }
};

template <class V>
  requires isTensor<V>
V filledLike(const V& value, std::type_identity_t<ElementOf<V>> element) {
  if constexpr (requires { V::Kernels::filledLike(value, element); })
    return V::Kernels::filledLike(value, element);
  else
    return V::full(value.shape(), element);
}
template <std::floating_point T>
T filledLike(T, T element) noexcept {
  return element;
}

/// Data with a shape, which the steps of a weight do not change.
template <class V>
concept HasShape = requires(const V& value) {
  { value.shape() } -> std::convertible_to<Shape>;
};

template <class V>
concept Numbers = std::floating_point<V> || isTensor<V>;

template <class V>
inline constexpr bool hasElements = Numbers<V>;
template <class... A>
inline constexpr bool hasElements<std::tuple<A...>> = (... && hasElements<A>);
template <class A, class B>
inline constexpr bool hasElements<std::pair<A, B>> = hasElements<A> && hasElements<B>;
template <class A, std::size_t n>
inline constexpr bool hasElements<std::array<A, n>> = hasElements<A>;
template <class A>
inline constexpr bool hasElements<std::vector<A>> = hasElements<A>;

/// Returns the delta of data whose elements, in all parts, are added up: 1 for each element.
template <class Data>
  requires hasElements<Data>
DeltaOf<Data> onesFor(const Data& data) {
  if constexpr (hasParts<Data>)
    return mapParts(data, [](const auto& part) { return onesFor(part); });
  else
    return filledLike(data, ElementOf<Data>(1));
}

/// Returns the value for use outside the pass: a copy if the value may still change.
template <class Data>
Data settled(const Data& data) {
  if constexpr (isHostTensor<Data>)
    return data.racing() ? Data(data.shape(), data.values()) : data;
  else if constexpr (requires { Data(data.separate()); })
    return data.separate();
  else if constexpr (hasParts<Data>)
    return mapParts(data, [](const auto& part) { return settled(part); });
  else
    return data;
}

/// Returns the delta as one value, for each part.
template <class T>
Tensor<T> denseOf(TensorDelta<T>&& delta) {
  return std::move(delta).dense();
}
template <class Delta>
auto denseOf(Delta&& delta) {
  if constexpr (hasParts<Delta>)
    return mapParts(std::move(delta), [](auto part) { return denseOf(std::move(part)); });
  else if constexpr (requires { std::move(delta).merged(); })
    return std::move(delta).merged();
  else
    return std::move(delta);
}

/// Returns the value as a delta, which differs from it only in how its tensors are held.
template <class Delta, class D>
Delta deltaFrom(D value) {
  if constexpr (std::same_as<D, Delta>) {
    return value;
  } else if constexpr (isVector<D>) {
    return mapParts(std::move(value),
                    [](auto part) { return deltaFrom<typename Delta::value_type>(std::move(part)); });
  } else if constexpr (isTuple<D>) {
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      return Delta{deltaFrom<std::tuple_element_t<i, Delta>>(std::get<i>(std::move(value)))...};
    }(std::make_index_sequence<std::tuple_size_v<D>>());
  } else {
    return Delta(std::move(value));
  }
}

template <class Data>
using DenseOf = decltype(denseOf(std::declval<DeltaOf<Data>>()));

/// Returns the dense delta of data that no delta has reached; for a user-defined type, a value-initialised
/// delta.
template <class Data>
DenseOf<Data> zeroFor(const Data& data) {
  if constexpr (Numbers<Data>)
    return filledLike(data, ElementOf<Data>(0));
  else if constexpr (hasParts<Data>)
    return mapParts(data, [](const auto& part) { return zeroFor(part); });
  else
    return {};
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
