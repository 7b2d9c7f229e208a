// Defines Axes, the choice of axes that a reduction runs over.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>

#include <tapestry/tensor/shape.hpp>

#include "tapestry/tensor/lifetime_bound.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Up to Shape::maxRank axes, or all axes; a negative axis counts from the last, which is -1.
class Axes {
 public:
  Axes(std::initializer_list<std::ptrdiff_t> axes) : Axes(std::span(axes.begin(), axes.size())) {}
  explicit Axes(std::span<const std::ptrdiff_t> axes);
  /// All axes of the tensor.
  static Axes all() noexcept;

  /// Whether all axes are chosen, whatever their number.
  bool areAll() const noexcept { return all_; }
  /// The chosen axes as they were given; none for all axes.
  std::span<const std::ptrdiff_t> listed() const noexcept TAPESTRY_LIFETIME_BOUND {
    return {axes_.data(), count_};
  }

  /// Returns the chosen axes of `shape`. Throws ShapeError, naming `operation`, for an axis that `shape` does
  /// not have and for an axis chosen twice.
  std::bitset<Shape::maxRank> resolve(const Shape& shape, std::string_view operation) const;

 private:
  bool all_ = false;
  std::size_t count_ = 0;
  std::array<std::ptrdiff_t, Shape::maxRank> axes_{};
};

/// Returns the index of `axis` in `shape`, counted from the first; throws as Axes::resolve does.
std::size_t resolveAxis(std::ptrdiff_t axis, const Shape& shape, std::string_view operation);

/// Returns the shape without the reduced axes, or with extent 1 in their places if `keepDims`.
Shape reducedShape(const Shape& shape, const std::bitset<Shape::maxRank>& reduced, bool keepDims);

}  // namespace tapestry
#pragma GCC visibility pop
