// Defines Convolution and its kernels, the cross-correlation of images with small filters, and its
// derivatives.
#pragma once

#include <string_view>

#include <tapestry/tensor/height_width.hpp>
#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

/// How filters move over images: in steps of `stride`, over `padding` zeros on each side, with filter
/// elements `dilation` apart. The channels are divided into `groups` that are convolved independently.
struct Convolution {
  HeightWidth stride = 1;
  HeightWidth padding = 0;
  HeightWidth dilation = 1;
  std::size_t groups = 1;

  /// Throws std::invalid_argument for a stride, dilation or number of groups that is 0, and for any member
  /// beyond int, as negative values are after conversion.
  void requireValid(std::string_view operation) const;

  /// Returns [N, O, 1 + (H + 2 padding - dilation (KH - 1) - 1) / stride, the same of W], rounded down, for x
  /// [N, C, H, W] and w [O, C / groups, KH, KW]. Throws as requireValid does, and ShapeError, naming
  /// `operation` and both shapes, if they do not fit.
  Shape shapeOf(std::string_view operation, const Shape& x, const Shape& w) const;
};

// The kernels run on the calling thread, for a large batch also on helping threads. Several threads may call
// them at once. They throw as Convolution::requireValid does, and ShapeError for shapes that do not fit.
// Parts of a batch can be convolved separately; the derivatives of w then add up.

/// y[n, o, i, j] = sum of w[o, c, p, q] x[n, c, i * stride + p * dilation - padding, the same of j and q].
template <class T>
Tensor<T> convolve(const Tensor<T>& x, const Tensor<T>& w, const Convolution& convolution);

/// Returns the delta of x, whose shape is `x`, given the delta of y.
template <class T>
Tensor<T> convolveDerivativeLeft(const Tensor<T>& delta, const Shape& x, const Tensor<T>& w,
                                 const Convolution& convolution);

/// Returns the delta of w, whose shape is `w`, given the delta of y.
template <class T>
Tensor<T> convolveDerivativeRight(const Tensor<T>& delta, const Tensor<T>& x, const Shape& w,
                                  const Convolution& convolution);

TAPESTRY_OWN_KERNEL(convolve, (const X& x, const X& w, const Convolution& convolution), (x, w, convolution))
TAPESTRY_OWN_KERNEL(convolveDerivativeLeft,
                    (const X& delta, const Shape& x, const X& w, const Convolution& convolution),
                    (delta, x, w, convolution))
TAPESTRY_OWN_KERNEL(convolveDerivativeRight,
                    (const X& delta, const X& x, const Shape& w, const Convolution& convolution),
                    (delta, x, w, convolution))

}  // namespace tapestry::kernels
#pragma GCC visibility pop
