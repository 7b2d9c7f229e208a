// Defines LayerNorm, a layer that standardizes elements, then scales and shifts them.
#pragma once

#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/deeplearning/operations/regularization/layer_norm.hpp"
#include "tapestry/deeplearning/weights.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// y = layerNorm(x, gain, bias), along the last axis of x unless other axes are given; LayerNorm<>({512}). T
/// is the type of the elements, or of tensors: LayerNorm<DeviceTensor<float>>.
template <class T = float>
struct LayerNorm {
  using Values = detail::TensorFor<T>;
  using Element = detail::ElementOf<Values>;

  Weight<Values> gain;
  Weight<Values> bias;
  kernels::Standardization standardization;

  /// Starts with a gain of 1 and a bias of 0, both of the given shape, which broadcasts to that of x;
  /// place(x), a function from tensors of the host to Values, brings both to where the layer computes.
  template <detail::PlaceFor<Values> Place = detail::OnHost>
  explicit LayerNorm(const Shape& shape, const kernels::Standardization& how = {}, const Place& place = {})
      : gain(place(Tensor<Element>::full(shape, 1))),
        bias(place(Tensor<Element>::zeros(shape))),
        standardization(how) {}

  auto operator()(const detail::TensorOf<T> auto& x) const {
    return layerNorm(x, gain, bias, standardization);
  }
  void operator()(...) const = delete;  // expected a Differentiable tensor of the element type of its weights

  Weights weights() const { return {{"gain", gain}, {"bias", bias}}; }
};

}  // namespace tapestry
#pragma GCC visibility pop
