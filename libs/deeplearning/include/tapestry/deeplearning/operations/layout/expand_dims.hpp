// Defines expandDims, which inserts an axis of extent 1.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/position.hpp"
#include "tapestry/tensor/shape_error.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

struct ExpandDimsShapes {
  std::ptrdiff_t axis;
  Shape of(std::string_view name, const Shape& from) const {
    const std::size_t rank = from.rank() + 1;
    const auto at = positionOf(axis, rank);
    if (!at)
      throw ShapeError(name, "axis out of range", "axis " + std::to_string(axis) + " for " + toString(from),
                       "-" + std::to_string(rank) + " .. " + std::to_string(rank - 1));
    std::vector<std::size_t> extents(from.begin(), from.end());
    extents.insert(extents.begin() + static_cast<std::ptrdiff_t>(*at), 1);
    return Shape(extents);
  }
  extend::Attributes attributes() const { return {{"axis", std::int64_t{axis}}}; }
};

inline auto expandDimsOperation(const ExpandDimsShapes& shapes) {
  return unaryOperation<"expandDims", Keep::shapes>(
      [shapes](const auto& value) { return value.reshape(shapes.of("expandDims", value.shape())); },
      [](const auto& delta, const Shape& from) { return delta.reshape(from); }, shapes);
}

}  // namespace detail

/// y has x's elements and a new axis of extent 1 before the given axis of x; a negative axis counts from the
/// last of y. Copies nothing. ShapeError for an axis out of range.
auto expandDims(const NumericTensor auto& x, std::ptrdiff_t axis) {
  return detail::expandDimsOperation({axis})(x);
}

void expandDims(...) = delete;  // expected a Differentiable tensor, and an axis

}  // namespace tapestry
#pragma GCC visibility pop
