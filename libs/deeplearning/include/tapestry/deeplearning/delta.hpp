// Defines DeltaOf, the type of the derivative of a loss with respect to data of some type, and how deltas add
// up.
#pragma once

#include <utility>

#include "tapestry/deeplearning/tensor_delta.hpp"

namespace tapestry {

/// Specialise it for data of your own: `Type` is the delta; it is movable, and has either `+=` or an overload
/// of addDelta(Delta& sum, Delta&& other), found by argument-dependent look-up.
template <class Data>
struct DeltaTraits {
  using Type = Data;
};

template <class T>
struct DeltaTraits<Tensor<T>> {
  using Type = TensorDelta<T>;
};

/// What flows back to a differentiable with such data.
template <class Data>
using DeltaOf = typename DeltaTraits<Data>::Type;

template <class Delta>
void addDelta(Delta& sum, Delta&& other) {
  sum += std::move(other);
}

template <class T>
void addDelta(TensorDelta<T>& sum, TensorDelta<T>&& other) {
  sum.add(std::move(other));
}

}  // namespace tapestry
