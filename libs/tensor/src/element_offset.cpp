#include "tapestry/tensor/element_offset.hpp"

#include <stdexcept>
#include <string>

#include "tapestry/tensor/position.hpp"
#include "tapestry/tensor/shape_error.hpp"

namespace tapestry {

namespace {

std::string textOf(std::span<const std::ptrdiff_t> indices) {
  std::string text;
  for (const std::ptrdiff_t index : indices) text += (text.empty() ? "(" : ", ") + std::to_string(index);
  return text.empty() ? "()" : text + ")";
}

}  // namespace

std::size_t elementOffset(std::string_view operation, const Shape& shape,
                          std::span<const std::ptrdiff_t> indices) {
  if (indices.size() != shape.rank())
    throw ShapeError(operation, "wrong number of indices", textOf(indices),
                     std::to_string(shape.rank()) + " for " + toString(shape));
  std::size_t offset = 0;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    const auto position = positionOf(indices[axis], shape[axis]);
    if (!position)
      throw std::out_of_range("tapestry::" + std::string(operation) + ": index out of range, got " +
                              textOf(indices) + ", expected indices below " + toString(shape) +
                              ", or down to minus those");
    offset = offset * shape[axis] + *position;
  }
  return offset;
}

}  // namespace tapestry
