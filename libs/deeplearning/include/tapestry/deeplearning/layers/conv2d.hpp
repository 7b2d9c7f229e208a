// Defines Conv2d, a layer of filters that move over images.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/deeplearning/initializers.hpp"
#include "tapestry/deeplearning/operations/convolution/conv2d.hpp"
#include "tapestry/deeplearning/weights.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// y = conv2d(x, weight, bias) for images x [N, inputs, H, W], with weight [outputs, inputs / groups, KH, KW]
/// and bias [outputs]. T is the type of the elements, or of tensors: Conv2d<DeviceTensor<float>>.
template <class T = float>
struct Conv2d {
  using Values = detail::TensorFor<T>;
  using Element = detail::ElementOf<Values>;

  /// Conv2d<>({.inputs = 3, .outputs = 16, .kernel = 3, .padding = 1}, generator)
  struct Configuration {
    std::size_t inputs;
    std::size_t outputs;
    HeightWidth kernel;
    HeightWidth stride = 1;
    HeightWidth padding = 0;
    HeightWidth dilation = 1;
    std::size_t groups = 1;
  };

  Weight<Values> weight;
  Weight<Values> bias;
  kernels::Convolution convolution;

  /// Starts with Glorot's uniform values and a bias of 0, which place(x), a function from tensors of the host
  /// to Values, brings to where the layer computes. Throws as conv2d does.
  template <detail::PlaceFor<Values> Place = detail::OnHost>
  Conv2d(const Configuration& c, Generator& generator, const Place& place = {})
      : Conv2d({c.stride, c.padding, c.dilation, c.groups}, c, generator, place) {}
  /// Starts with these values, such as heNormal({16, 3, 3, 3}, generator), and a bias of 0.
  explicit Conv2d(Values initial, const kernels::Convolution& moves = {})
      : weight(initial),
        bias(Values::zeros({fansOf(initial.shape()).out == 0 ? 0 : initial.shape()[0]})),
        convolution(moves) {}

  auto operator()(const detail::TensorOf<T> auto& x) const { return conv2d(x, weight, bias, convolution); }
  void operator()(...) const = delete;  // expected a Differentiable tensor of the element type of its weights

  Weights weights() const { return {{"weight", weight}, {"bias", bias}}; }

 private:
  Conv2d(const kernels::Convolution& moves, const Configuration& c, Generator& generator, const auto& place)
      : weight(place(glorotUniform<Element>(shapeOf(moves, c), generator))),
        bias(place(Tensor<Element>::zeros({c.outputs}))),
        convolution(moves) {}
  static Shape shapeOf(const kernels::Convolution& moves, const Configuration& c) {
    moves.requireValid("conv2d");
    const auto requireMultiple = [&moves](const std::string& name, std::size_t channels) {
      if (channels % moves.groups != 0)
        throw std::invalid_argument("tapestry::Conv2d: the " + name + " are not divisible, got " +
                                    std::to_string(channels) + " in " + std::to_string(moves.groups) +
                                    " groups, expected a multiple of the groups");
    };
    requireMultiple("inputs", c.inputs);
    requireMultiple("outputs", c.outputs);
    return {c.outputs, c.inputs / moves.groups, c.kernel.height, c.kernel.width};
  }
};

}  // namespace tapestry
#pragma GCC visibility pop
