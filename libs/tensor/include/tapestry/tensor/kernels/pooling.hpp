// Defines Pooling and its kernels, the largest and the mean of what a window sees, and their derivatives.
#pragma once

#include <string_view>

#include <tapestry/tensor/height_width.hpp>
#include <tapestry/tensor/tensor.hpp>

namespace tapestry::kernels {

/// How a window moves over planes: by `stride`, 0 for the window's own extents, with `padding` on each side.
struct Pooling {
  HeightWidth window;
  HeightWidth stride = 0;
  HeightWidth padding = 0;

  /// Throws std::invalid_argument for a window without elements or a padding that could fill it.
  void requireValid(std::string_view operation) const;

  /// [..., H, W] to [..., (H + 2 padding - window) / stride + 1, the same of W], rounded down. Throws
  /// ShapeError, naming `operation`, if the window does not fit.
  Shape shapeOf(std::string_view operation, const Shape& x) const;
};

// On the calling thread alone. Shapes that do not fit are a ShapeError.

/// The largest element of each window, NaN if one of them is.
template <class T>
Tensor<T> maxPool(const Tensor<T>& x, const Pooling& pooling);

/// The delta of x: those that are equally large share their window's.
template <class T>
Tensor<T> maxPoolDerivative(const Tensor<T>& delta, const Tensor<T>& x, const Pooling& pooling);

/// The sum of each window, divided by its extents; the padding is zeros.
template <class T>
Tensor<T> avgPool(const Tensor<T>& x, const Pooling& pooling);

/// The delta of x, which has the shape given.
template <class T>
Tensor<T> avgPoolDerivative(const Tensor<T>& delta, const Shape& x, const Pooling& pooling);

}  // namespace tapestry::kernels
