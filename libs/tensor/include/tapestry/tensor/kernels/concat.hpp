// Defines concatShape, partOf and extentOf, the shapes and views of tensors concatenated along an axis.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <tapestry/tensor/kernels/view.hpp>
#include <tapestry/tensor/tensor.hpp>

namespace tapestry::kernels {

/// Returns the shape of the parts concatenated along the axis, which counts from the last if negative. Throws
/// ShapeError, naming `operation`, unless the parts agree in all other axes. Precondition: there is at least
/// one part.
Shape concatShape(std::span<const Shape> parts, std::ptrdiff_t axis, std::string_view operation);

/// Returns the view of the part that has that extent along the axis and begins at index `first` of `whole`.
View partOf(const Shape& whole, std::ptrdiff_t axis, std::size_t first, std::size_t extent);

/// Returns the extent of the axis, which counts from the last if negative.
std::size_t extentOf(const Shape& shape, std::ptrdiff_t axis) noexcept;

}  // namespace tapestry::kernels
