// Defines LayerNorm, a layer that standardizes elements, then scales and shifts them.
#pragma once

#include "tapestry/deeplearning/operations/regularization/layer_norm.hpp"
#include "tapestry/deeplearning/weights.hpp"

namespace tapestry {

/// y = layerNorm(x, gain, bias), along the last axis of x unless other axes are given; LayerNorm<>({512}).
template <class T = float>
struct LayerNorm {
  Weight<Tensor<T>> gain;
  Weight<Tensor<T>> bias;
  kernels::Standardization standardization;

  /// Starts with a gain of 1 and a bias of 0, both of the given shape, which broadcasts to that of x.
  explicit LayerNorm(const Shape& shape, const kernels::Standardization& how = {})
      : gain(Tensor<T>::full(shape, 1)), bias(Tensor<T>::zeros(shape)), standardization(how) {}

  template <detail::TensorOf<T> X>
  auto operator()(const X& x) const {
    return layerNorm(x, gain, bias, standardization);
  }
  void operator()(...) const = delete;  // expected a Differentiable tensor of the element type of its weights

  Weights weights() const { return {{"gain", gain}, {"bias", bias}}; }
};

}  // namespace tapestry
