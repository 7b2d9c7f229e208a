// Defines elementOffset, where an element lies in a tensor.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "tapestry/tensor/shape.hpp"

namespace tapestry {

/// In row-major order; negative indices count from the end. Throws, naming `operation`, ShapeError unless
/// there is an index for each axis, std::out_of_range for one beyond its axis.
std::size_t elementOffset(std::string_view operation, const Shape& shape,
                          std::span<const std::ptrdiff_t> indices);

}  // namespace tapestry
