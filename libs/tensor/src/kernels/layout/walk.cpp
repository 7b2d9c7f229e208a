#include "kernels/layout/walk.hpp"

namespace tapestry::kernels {

namespace {

// Returns an extent of a shape, counted from the last axis; 1 beyond the first.
std::size_t extentFromEnd(const Shape& shape, std::size_t axis) noexcept {
  return axis < shape.rank() ? shape[shape.rank() - 1 - axis] : 1;
}

}  // namespace

Walk::Walk(const Shape& a, const Shape& b, const Shape& to) noexcept {
  std::size_t sizeA = 1;
  std::size_t sizeB = 1;
  bool first = true;
  for (std::size_t i = 0; i < to.rank(); ++i) {
    const std::size_t extent = extentFromEnd(to, i);
    if (extent == 1) continue;
    const bool hasA = extentFromEnd(a, i) != 1;
    const bool hasB = extentFromEnd(b, i) != 1;
    const Axis axis{extent, hasA ? sizeA : 0, hasB ? sizeB : 0};
    Axis& inner = axes_[count_ - 1];
    if (first)
      inner = axis;
    else if (axis.strideA == inner.extent * inner.strideA && axis.strideB == inner.extent * inner.strideB)
      inner.extent *= extent;
    else
      axes_[count_++] = axis;
    first = false;
    if (hasA) sizeA *= extent;
    if (hasB) sizeB *= extent;
  }
}

}  // namespace tapestry::kernels
