// Defines View, a choice and order of a tensor's elements, and the kernels that read and write through it.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/slice.hpp>
#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

/// Index (i, j, ...) of a view is the element at offset + i * strides[0] + j * strides[1] + ... of the viewed
/// tensor. No element is viewed twice.
struct View {
  Shape shape;
  std::size_t offset = 0;
  std::array<std::ptrdiff_t, Shape::maxRank> strides{};

  /// Views the whole of a tensor of that shape.
  static View of(const Shape& shape) noexcept;
  /// Views the axes in another order: axis i is axes[i] of the shape; negative axes count from the last.
  /// Throws ShapeError, naming `operation`, unless each axis occurs exactly once.
  static View permuted(const Shape& shape, std::span<const std::ptrdiff_t> axes, std::string_view operation);
  /// Views slices of the leading axes, one for each axis, and all of the other axes. Throws ShapeError,
  /// naming `operation`, for more slices than axes and for a step of 0.
  static View sliced(const Shape& shape, std::span<const Slice> slices, std::string_view operation);
};

/// Returns the elements of the view, as a tensor of its shape.
template <class T>
Tensor<T> read(const Tensor<T>& x, const View& view);

/// Writes x, which has the view's shape, to the elements of the view in `target`, in place if `target` is
/// unique.
template <class T>
void write(Tensor<T>& target, const Tensor<T>& x, const View& view);

/// Returns x at the elements of the view, and `around` elsewhere; with 0 around it is the transpose of
/// `read`.
template <class T>
Tensor<T> spread(const Tensor<T>& x, const View& view, const Shape& shape,
                 std::type_identity_t<T> around = 0) {
  auto result = Tensor<T>::full(shape, around);
  write(result, x, view);
  return result;
}

TAPESTRY_OWN_KERNEL(read, (const X& x, const View& view), (x, view))
TAPESTRY_OWN_KERNEL(spread, (const X& x, const View& view, const Shape& shape, typename X::Value around = 0),
                    (x, view, shape, around))

}  // namespace tapestry::kernels
#pragma GCC visibility pop
