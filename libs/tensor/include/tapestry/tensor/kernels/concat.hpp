// Defines concat, tensors one after the other along an axis.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <tapestry/tensor/kernels/view.hpp>
#include <tapestry/tensor/tensor.hpp>

namespace tapestry::kernels {

/// The shape of the parts along the axis, which counts from the last if negative. Throws ShapeError, naming
/// `operation`, unless they agree in all other axes. Precondition: there is at least one.
Shape concatShape(std::span<const Shape> parts, std::ptrdiff_t axis, std::string_view operation);

/// What the part of that extent, from index `first` on, is of the whole.
View partOf(const Shape& whole, std::ptrdiff_t axis, std::size_t first, std::size_t extent);

/// The extent of the axis, as above.
std::size_t extentOf(const Shape& shape, std::ptrdiff_t axis) noexcept;

}  // namespace tapestry::kernels
