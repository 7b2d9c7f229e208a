// Defines PlaceFor, the concept of functions by which a layer places its initial values, and OnHost.
#pragma once

#include <concepts>
#include <utility>

#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/tensor/tensor.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

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

}  // namespace tapestry::detail
#pragma GCC visibility pop
