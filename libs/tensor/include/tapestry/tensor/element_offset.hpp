// Defines elementOffset, the offset of an element in a tensor.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "tapestry/tensor/shape.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Returns the offset in row-major order; negative indices count from the end. Throws, naming `operation`,
/// ShapeError unless there is an index for each axis, and std::out_of_range for an index beyond its axis.
std::size_t elementOffset(std::string_view operation, const Shape& shape,
                          std::span<const std::ptrdiff_t> indices);

}  // namespace tapestry
#pragma GCC visibility pop
