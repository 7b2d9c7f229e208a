// Defines conv2d, the convolution of images with filters.
#pragma once

#include <string_view>

#include "tapestry/deeplearning/detail/channels.hpp"
#include "tapestry/tensor/kernels/convolution.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

struct Conv2dShapes {
  kernels::Convolution convolution;
  Shape of(std::string_view name, const Shape& x, const Shape& w) const {
    return convolution.shapeOf(name, x, w);
  }
  /// The cost of forward and backward in ns; either shape may be unknown.
  float cost(const Shape* x, const Shape* w) const noexcept;
  extend::Attributes attributes() const;
  std::uint64_t multiplications(const Shape& x, const Shape& w) const;
};

}  // namespace detail

/// The convolution of deep learning: the cross-correlation of images x [N, C, H, W] with filters w [O, C /
/// groups, KH, KW]:
///   y[n, o, i, j] = sum of w[o, c, p, q] x[n, c, i * stride + p * dilation - padding, the same of j and q]
/// over c, p and q, of shape [N, O, (H + 2 padding - dilation (KH - 1) - 1) / stride + 1, the same of W],
/// rounded down. Elements beyond the images are 0. Filter o is applied only to the channels of its group.
/// Stride, padding and dilation are one number, or {for the height, for the width}. dx is the sum of delta *
/// w over the places that use the element, dw the sum of delta * x. ShapeError for shapes that do not fit,
/// std::invalid_argument for a stride, dilation or number of groups of 0.
template <class A>
auto conv2d(const A& x, const MeetingTensors<A> auto& w, const kernels::Convolution& convolution = {}) {
  convolution.requireValid("conv2d");
  return binaryOperation<"conv2d", Keep::operands>(
      [=](const auto& images, const auto& filters) {
        return kernels::convolve(images, filters, convolution);
      },
      [=](const auto& delta, const auto& images, const auto& filters) {
        return kernels::convolveDerivativeLeft(delta, images.shape(), filters, convolution);
      },
      [=](const auto& delta, const auto& images, const auto& filters) {
        return kernels::convolveDerivativeRight(delta, images, filters.shape(), convolution);
      },
      detail::Conv2dShapes{convolution})(x, w);
}

/// The same with bias [O], which is added to the channels of the result.
template <class A, class B, class C>
  requires MeetingTensors<A, B, C>
auto conv2d(const A& x, const B& w, const C& bias, const kernels::Convolution& convolution = {}) {
  return detail::shiftChannels<"conv2d">(conv2d(x, w, convolution), bias);
}

void conv2d(...) = delete;  // expected Differentiable tensors of one element type: images, filters, bias

}  // namespace tapestry
#pragma GCC visibility pop
