// Defines View, a choice and order of a tensor's elements, and the kernels that read and write through it.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include <tapestry/tensor/slice.hpp>
#include <tapestry/tensor/tensor.hpp>

namespace tapestry::kernels {

/// The element at index (i, j, ...) is the one at offset + i * strides[0] + j * strides[1] + ... of the
/// tensor that is viewed. No element is seen twice.
struct View {
  Shape shape;
  std::size_t offset = 0;
  std::array<std::ptrdiff_t, Shape::maxRank> strides{};

  /// Of a tensor of that shape, the whole.
  static View of(const Shape& shape) noexcept;
  /// The axes in another order: axis i is axes[i] of the shape; negative ones count from the last. Throws
  /// ShapeError, naming `operation`, unless each axis is there once.
  static View permuted(const Shape& shape, std::span<const std::ptrdiff_t> axes, std::string_view operation);
  /// The leading axes sliced, one after the other, and all of the others. Throws ShapeError, naming
  /// `operation`, for more slices than axes.
  static View sliced(const Shape& shape, std::span<const Slice> slices, std::string_view operation);
};

/// The elements that the view sees, as a tensor of its shape.
template <class T>
Tensor<T> read(const Tensor<T>& x, const View& view);

/// Writes x, of the view's shape, to where the view sees it in `target`, in place if that is unique.
template <class T>
void write(Tensor<T>& target, const Tensor<T>& x, const View& view);

/// Zeros, but for x where the view sees it: the transpose of `read`.
template <class T>
Tensor<T> spread(const Tensor<T>& x, const View& view, const Shape& shape) {
  auto result = Tensor<T>::zeros(shape);
  write(result, x, view);
  return result;
}

}  // namespace tapestry::kernels
