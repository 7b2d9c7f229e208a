// Defines Walk, the traversal of two operands that broadcast to one shape.
#pragma once

#include <array>
#include <cstddef>

#include <tapestry/tensor/shape.hpp>

namespace tapestry::kernels {

/// The axes of the result, where axes that both operands traverse with one stride are merged. An operand's
/// stride is 0 along an axis along which it is stretched; so the innermost strides are 0 or 1.
class Walk {
 public:
  /// `to` is the shape that a and b broadcast to, and is not empty.
  Walk(const Shape& a, const Shape& b, const Shape& to) noexcept;

  /// The extent of a row, the innermost axis, and whether a or b is a single value along it.
  std::size_t rowLength() const noexcept { return axes_[0].extent; }
  bool repeatsA() const noexcept { return axes_[0].strideA == 0; }
  bool repeatsB() const noexcept { return axes_[0].strideB == 0; }

  /// Calls row(offset in a, offset in b) for each row, in the result's order.
  template <class F>
  void forEachRow(const F& row) const {
    visit(count_ - 1, 0, 0, row);
  }

 private:
  struct Axis {
    std::size_t extent = 1;
    std::size_t strideA = 1;
    std::size_t strideB = 1;
  };

  template <class F>
  void visit(std::size_t axis, std::size_t a, std::size_t b, const F& row) const {
    if (axis == 0) return row(a, b);
    const auto [extent, strideA, strideB] = axes_[axis];
    for (std::size_t i = 0; i < extent; ++i) visit(axis - 1, a + i * strideA, b + i * strideB, row);
  }

  std::array<Axis, Shape::maxRank> axes_{};  // innermost first
  std::size_t count_ = 1;
};

}  // namespace tapestry::kernels
