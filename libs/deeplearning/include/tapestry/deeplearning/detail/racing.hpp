// Defines Racing, the data of a weight that is stepped in place: it can be separated and added to.
#pragma once

#include <concepts>
#include <utility>

#include "tapestry/deeplearning/optimizer.hpp"
#include "tapestry/tensor/kernels/add_racing.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/shape_error.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

template <class V>
concept Racing =
    std::floating_point<V> || isHostTensor<V> || requires(const V& live, const DenseOf<V>& difference) {
      { live.separate() } -> std::same_as<V>;
      { live.addRacing(difference) } noexcept;
    };

/// Returns an equal value that shares no memory with this one.
template <Racing V>
V separate(const V& live) {
  if constexpr (std::floating_point<V>)
    return live;
  else if constexpr (isTensor<V>)
    return V(live.shape(), live.values());
  else
    return live.separate();
}

/// Returns an equal value that other passes may change in place.
template <Racing V>
V asLive(const V& value) {
  V live = separate(value);
  if constexpr (isTensor<V>) live.setRacing();
  return live;
}

template <Racing V>
void addInPlace(V& live, const DenseOf<V>& difference) noexcept {
  if constexpr (std::floating_point<V>)
    live += difference;
  else if constexpr (isTensor<V>)
    // const_cast: the memory is the weight's own, and changes while others read it
    kernels::addRacing(const_cast<ElementOf<V>*>(live.data()), difference.data(), live.size());
  else
    live.addRacing(difference);
}

/// Throws ShapeError if a rule has changed the shape of the weight.
inline void requireShape(const Shape& stepped, const Shape& before) {
  if (stepped != before)
    throw ShapeError("Optimizer", "a rule has changed the shape", toString(stepped), toString(before));
}

/// The difference that a step adds to the weight, and the stepper after it.
template <class V>
struct Change {
  DenseOf<V> difference;
  Ref<const Stepper<V>> next;
};

template <Racing V>
Change<V> changeOf(const Stepper<V>& stepper, const V& live, GradientOf<V> gradient) {
  if constexpr (Numbers<V>) {
    const V before = separate(live);
    auto [stepped, next] = stepper.step(before, std::move(gradient));
    if constexpr (isTensor<V>) requireShape(stepped.shape(), before.shape());
    return {kernels::subtract(std::move(stepped), before), std::move(next)};
  } else {
    return stepper.change(live, std::move(gradient));
  }
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
