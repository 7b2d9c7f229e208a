// Defines broadcasts, whether two shapes broadcast, for errors of their own.
#pragma once

#include <algorithm>
#include <cstddef>

#include <tapestry/tensor/shape.hpp>

namespace tapestry::kernels {

/// Returns whether the extents of two shapes, aligned at the last axis, are equal or 1. The shape that both
/// broadcast to may still be too large, for which `broadcast` throws ShapeError.
inline bool broadcasts(const Shape& a, const Shape& b) noexcept {
  for (std::size_t i = 1; i <= std::min(a.rank(), b.rank()); ++i) {
    const std::size_t left = a[a.rank() - i];
    const std::size_t right = b[b.rank() - i];
    if (left != right && left != 1 && right != 1) return false;
  }
  return true;
}

}  // namespace tapestry::kernels
