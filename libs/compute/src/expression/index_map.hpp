// Defines IndexMap, by which the elements of a view are those of another tensor.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <tapestry/tensor/shape.hpp>

namespace tapestry::detail {

/// The element at the coordinates (c0, c1, ...) of a view is the element at offset + c0 * stride0 + ... of
/// the viewed tensor. Neighbouring axes that are walked through as one are one axis here, and axes of extent
/// 1 are left out, so that a kernel computes as few coordinates as possible.
struct IndexMap {
  struct Axis {
    std::uint32_t extent;
    std::int32_t stride;
  };

  std::uint32_t offset = 0;
  std::uint32_t rank = 0;
  bool repeats = false;                     ///< whether some element is viewed more than once
  std::array<Axis, Shape::maxRank> axes{};  ///< the outermost first

  /// The strides are in elements, one for each axis of the shape.
  static IndexMap of(const Shape& shape, std::ptrdiff_t offset, std::span<const std::ptrdiff_t> strides);
  /// Reads a tensor of one shape as one of a shape that it broadcasts to.
  static IndexMap broadcast(const Shape& from, const Shape& to);

  /// Whether the view is the viewed tensor, or its first elements, in order.
  bool isIdentity() const noexcept {
    return offset == 0 && !repeats && (rank == 0 || (rank == 1 && axes[0].stride == 1));
  }
};

}  // namespace tapestry::detail
