// Defines Pooling and its kernels, the maximum and the mean of each window, and their derivatives.
#pragma once

#include <string_view>

#include <tapestry/tensor/height_width.hpp>
#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

/// How a window moves over planes: in steps of `stride`, where 0 means the window's own extents, with
/// `padding` on each side.
struct Pooling {
  HeightWidth window;
  HeightWidth stride = 0;
  HeightWidth padding = 0;

  /// Throws std::invalid_argument for a window without elements, a padding that could fill it, and numbers
  /// beyond int.
  void requireValid(std::string_view operation) const;

  /// Returns [..., (H + 2 padding - window) / stride + 1, the same of W], rounded down, for x [..., H, W].
  /// Throws as requireValid does, and ShapeError, naming `operation`, if the window does not fit.
  Shape shapeOf(std::string_view operation, const Shape& x) const;
};

// The kernels run on the calling thread only. They throw as Pooling::requireValid does, and ShapeError for
// shapes that do not fit.

/// Returns the largest element of each window, NaN if any element is NaN.
template <class T>
Tensor<T> maxPool(const Tensor<T>& x, const Pooling& pooling);

/// Returns the delta of x: equal maxima of a window share the window's delta equally.
template <class T>
Tensor<T> maxPoolDerivative(const Tensor<T>& delta, const Tensor<T>& x, const Pooling& pooling);

/// Returns the sum of each window divided by its number of elements; the padding is zeros.
template <class T>
Tensor<T> avgPool(const Tensor<T>& x, const Pooling& pooling);

/// Returns the delta of x, whose shape is `x`.
template <class T>
Tensor<T> avgPoolDerivative(const Tensor<T>& delta, const Shape& x, const Pooling& pooling);

TAPESTRY_OWN_KERNEL(maxPool, (const X& x, const Pooling& pooling), (x, pooling))
TAPESTRY_OWN_KERNEL(maxPoolDerivative, (const X& delta, const X& x, const Pooling& pooling),
                    (delta, x, pooling))
TAPESTRY_OWN_KERNEL(avgPool, (const X& x, const Pooling& pooling), (x, pooling))
TAPESTRY_OWN_KERNEL(avgPoolDerivative, (const X& delta, const Shape& x, const Pooling& pooling),
                    (delta, x, pooling))

}  // namespace tapestry::kernels
#pragma GCC visibility pop
