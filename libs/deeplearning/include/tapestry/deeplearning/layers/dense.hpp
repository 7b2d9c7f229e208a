// Defines Dense, an affine layer.
#pragma once

#include <cstddef>

#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/deeplearning/initializers.hpp"
#include "tapestry/deeplearning/operations/product/affine.hpp"
#include "tapestry/deeplearning/weights.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// y = x · weight + bias for x [.., inputs], with weight [inputs, outputs] and bias [outputs]. T is the type
/// of the elements, or of tensors: Dense<DeviceTensor<float>>.
template <class T = float>
struct Dense {
  using Values = detail::TensorFor<T>;
  using Element = detail::ElementOf<Values>;
  Weight<Values> weight;
  Weight<Values> bias;

  /// Starts with Glorot's uniform values and a bias of 0, which place(x), a function from tensors of the host
  /// to Values, brings to where the layer computes.
  template <detail::PlaceFor<Values> Place = detail::OnHost>
  Dense(std::size_t inputs, std::size_t outputs, Generator& generator, const Place& place = {})
      : weight(place(glorotUniform<Element>({inputs, outputs}, generator))),
        bias(place(Tensor<Element>::zeros({outputs}))) {}
  /// Starts with these values, such as heNormal({784, 100}, generator), and a bias of 0. Throws ShapeError
  /// for less than two axes.
  explicit Dense(Values initial) : weight(initial), bias(Values::zeros({fansOf(initial.shape()).out})) {}

  auto operator()(const detail::TensorOf<T> auto& x) const { return affine(x, weight, bias); }
  void operator()(...) const = delete;  // expected a Differentiable tensor of the element type of its weights

  Weights weights() const { return {{"weight", weight}, {"bias", bias}}; }
};

}  // namespace tapestry
#pragma GCC visibility pop
