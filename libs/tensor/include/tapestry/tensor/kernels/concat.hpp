// Defines concat, the tensors of a list joined along an axis, and concatShape, partOf and extentOf, the
// shapes and views of its parts.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/kernels/view.hpp>
#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

/// Returns the shape of the parts concatenated along the axis, which counts from the last if negative. Throws
/// ShapeError, naming `operation`, unless the parts agree in all other axes. Precondition: there is at least
/// one part.
Shape concatShape(std::span<const Shape> parts, std::ptrdiff_t axis, std::string_view operation);

/// Returns the view of the part that has that extent along the axis and begins at index `first` of `whole`.
View partOf(const Shape& whole, std::ptrdiff_t axis, std::size_t first, std::size_t extent);

/// Returns the extent of the axis, which counts from the last if negative.
std::size_t extentOf(const Shape& shape, std::ptrdiff_t axis) noexcept;

/// Returns the parts one after the other along the axis; throws as concatShape does, naming `concat`.
template <class T>
Tensor<T> concat(const std::vector<Tensor<T>>& parts, std::ptrdiff_t axis) {
  std::vector<Shape> shapes;
  for (const auto& part : parts) shapes.push_back(part.shape());
  auto whole = Tensor<T>::uninitialized(concatShape(shapes, axis, "concat"));
  std::size_t first = 0;
  for (const auto& part : parts) {
    const std::size_t extent = extentOf(part.shape(), axis);
    write(whole, part, partOf(whole.shape(), axis, first, extent));
    first += extent;
  }
  return whole;
}

TAPESTRY_OWN_KERNEL(concat, (const std::vector<X>& parts, std::ptrdiff_t axis), (parts, axis))

}  // namespace tapestry::kernels
#pragma GCC visibility pop
