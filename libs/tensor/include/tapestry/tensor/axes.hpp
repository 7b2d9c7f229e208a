// Defines Axes, the choice of axes that a reduction runs over.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>

#include <tapestry/tensor/shape.hpp>

namespace tapestry {

/// Up to Shape::maxRank axes, or all; a negative one counts from the last, which is -1.
class Axes {
 public:
  Axes(std::initializer_list<std::ptrdiff_t> axes) : Axes(std::span(axes.begin(), axes.size())) {}
  explicit Axes(std::span<const std::ptrdiff_t> axes);
  /// Those that the tensor has.
  static Axes all() noexcept;

  /// The axes of `shape` that are chosen. Throws ShapeError, naming `operation`, for an axis that `shape`
  /// does not have and for one chosen twice.
  std::bitset<Shape::maxRank> resolve(const Shape& shape, std::string_view operation) const;

 private:
  bool all_ = false;
  std::size_t count_ = 0;
  std::array<std::ptrdiff_t, Shape::maxRank> axes_{};
};

/// The one axis of `shape`; throws as above.
std::size_t resolveAxis(std::ptrdiff_t axis, const Shape& shape, std::string_view operation);

/// The shape without the axes that are reduced, or with extent 1 there if `keepDims`.
Shape reducedShape(const Shape& shape, const std::bitset<Shape::maxRank>& reduced, bool keepDims);

}  // namespace tapestry
