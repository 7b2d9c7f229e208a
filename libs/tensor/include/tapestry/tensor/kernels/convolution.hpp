// Defines Convolution and its kernels, the cross-correlation of images with small filters, and its
// derivatives.
#pragma once

#include <string_view>

#include <tapestry/tensor/height_width.hpp>
#include <tapestry/tensor/tensor.hpp>

namespace tapestry::kernels {

/// How filters move over images: by `stride`, over `padding` zeros on each side, their elements `dilation`
/// apart. Channels are divided into `groups`, which do not see each other.
struct Convolution {
  HeightWidth stride = 1;
  HeightWidth padding = 0;
  HeightWidth dilation = 1;
  std::size_t groups = 1;

  /// Throws std::invalid_argument for a stride, dilation or number of groups that is 0 or negative.
  void requireValid(std::string_view operation) const;

  /// x [N, C, H, W] and w [O, C / groups, KH, KW] to [N, O, 1 + (H + 2 padding - dilation (KH - 1) - 1) /
  /// stride, the same of W], rounded down. Throws ShapeError, naming `operation` and both shapes, if they do
  /// not fit.
  Shape shapeOf(std::string_view operation, const Shape& x, const Shape& w) const;
};

// On the calling thread, a large batch also on those that help, and on several at once. Shapes that do not
// fit are a ShapeError. Any part of a batch can be convolved by itself; the derivatives of w then add up.

/// y[n, o, i, j] = sum of w[o, c, p, q] x[n, c, i * stride + p * dilation - padding, the same of j and q].
template <class T>
Tensor<T> convolve(const Tensor<T>& x, const Tensor<T>& w, const Convolution& convolution);

/// The delta of x, which has the shape given, from that of y.
template <class T>
Tensor<T> convolveDerivativeLeft(const Tensor<T>& delta, const Shape& x, const Tensor<T>& w,
                                 const Convolution& convolution);

/// The delta of w, which has the shape given, from that of y.
template <class T>
Tensor<T> convolveDerivativeRight(const Tensor<T>& delta, const Tensor<T>& x, const Shape& w,
                                  const Convolution& convolution);

}  // namespace tapestry::kernels
