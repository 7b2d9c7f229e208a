// Defines DeltaOf, the type of the derivative of a loss with respect to data of some type, and how deltas add
// up.
#pragma once

#include <utility>

#include "tapestry/deeplearning/detail/parts.hpp"
#include "tapestry/deeplearning/tensor_delta.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/own_kernels.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

template <class T>
class IndexedRows;
template <class T>
class Table;

/// Specialise it for user-defined data: `Type` is the delta; it is movable, and has either `+=` or an
/// overload of addDelta(Delta& sum, Delta&& other), found by argument-dependent look-up.
template <class Data>
struct DeltaTraits {
  using Type = Data;
};

template <class T>
struct DeltaTraits<Tensor<T>> {
  using Type = TensorDelta<T>;
};

template <class T>
struct DeltaTraits<Table<T>> {
  using Type = IndexedRows<T>;
};

/// The delta that flows back to a differentiable with such data.
template <class Data>
using DeltaOf = typename DeltaTraits<Data>::Type;

// The delta of a tuple, a pair, an array or a vector has a delta for each part.
template <class... A>
struct DeltaTraits<std::tuple<A...>> {
  using Type = std::tuple<DeltaOf<A>...>;
};
template <class A, class B>
struct DeltaTraits<std::pair<A, B>> {
  using Type = std::pair<DeltaOf<A>, DeltaOf<B>>;
};
template <class A, std::size_t n>
struct DeltaTraits<std::array<A, n>> {
  using Type = std::array<DeltaOf<A>, n>;
};
template <class A>
struct DeltaTraits<std::vector<A>> {
  using Type = std::vector<DeltaOf<A>>;
};

template <class T>
void addDelta(TensorDelta<T>& sum, TensorDelta<T>&& other) {
  sum.add(std::move(other));
}

template <OwnKernels X>
void addDelta(X& sum, X&& other) {
  kernels::addInto(sum, other);
}

namespace detail {

/// A delta that `+=` adds to another one.
template <class Delta>
concept AddedByOperator = requires(Delta& sum, Delta&& other) { sum += std::move(other); };

/// Whether deltas of that type add up: by `+=`, by an overload of addDelta, or part by part. For a tuple,
/// pair, array or vector, only the parts count.
template <class Delta>
inline constexpr bool addsUp =
    AddedByOperator<Delta> || requires(Delta& sum, Delta&& other) { addDelta(sum, std::move(other)); };
template <class... A>
inline constexpr bool addsUp<std::tuple<A...>> = (... && addsUp<A>);
template <class A, class B>
inline constexpr bool addsUp<std::pair<A, B>> = addsUp<A> && addsUp<B>;
template <class A, std::size_t n>
inline constexpr bool addsUp<std::array<A, n>> = addsUp<A>;
template <class A>
inline constexpr bool addsUp<std::vector<A>> = addsUp<A>;

}  // namespace detail

/// Adds part by part if there are parts; throws std::invalid_argument for vectors of different lengths.
template <class Delta>
  requires(!OwnKernels<Delta> &&
           ((detail::hasParts<Delta> && detail::addsUp<Delta>) || detail::AddedByOperator<Delta>))
void addDelta(Delta& sum, Delta&& other) {
  if constexpr (detail::hasParts<Delta>) {
    detail::requireLength("addDelta", other, detail::lengthOf(sum));
    detail::zipParts(sum, other, [](auto& part, auto& more) { addDelta(part, std::move(more)); });
  } else {
    sum += std::move(other);
  }
}
void addDelta(  // expected a delta with operator+=, or an overload of addDelta(Delta& sum, Delta&& other)
    ...) = delete;

}  // namespace tapestry
#pragma GCC visibility pop
