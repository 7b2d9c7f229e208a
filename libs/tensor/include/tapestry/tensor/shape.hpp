// Defines Shape, the extents of a tensor's axes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "tapestry/tensor/lifetime_bound.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Up to eight extents, outermost first, stored inline. Rank 0 is the shape of a scalar and has size 1; an
/// extent may be 0.
class Shape {
 public:
  static constexpr std::size_t maxRank = 8;

  constexpr Shape() noexcept = default;

  /// Throws ShapeError for more than maxRank extents, and for a size that memory cannot address.
  Shape(std::initializer_list<std::size_t> extents) : Shape(std::span(extents.begin(), extents.size())) {}
  explicit Shape(std::span<const std::size_t> extents);

  constexpr std::size_t rank() const noexcept { return rank_; }

  /// The number of elements, the product of the extents. O(rank).
  constexpr std::size_t size() const noexcept {
    std::size_t product = 1;
    for (const std::size_t extent : *this) product *= extent;
    return product;
  }

  /// The extent of an axis; `axis` must be less than rank().
  constexpr std::size_t operator[](std::size_t axis) const noexcept { return extents_[axis]; }

  constexpr const std::size_t* begin() const noexcept TAPESTRY_LIFETIME_BOUND { return extents_.data(); }
  constexpr const std::size_t* end() const noexcept TAPESTRY_LIFETIME_BOUND {
    return extents_.data() + rank_;
  }

  friend constexpr bool operator==(const Shape& a, const Shape& b) noexcept {
    if (a.rank_ != b.rank_) return false;
    // not std::equal, which would call a function made for longer ranges
    for (std::size_t axis = 0; axis < a.rank_; ++axis)
      if (a.extents_[axis] != b.extents_[axis]) return false;
    return true;
  }

 private:
  std::size_t rank_ = 0;
  std::array<std::size_t, maxRank> extents_{};
};

/// toString(shape) returns text such as `[2, 3]`; `[]` for a scalar. It is an object, which
/// argument-dependent lookup does not find: test frameworks look there for a toString of their own.
inline constexpr struct ShapeToString {
  std::string operator()(const Shape& shape) const;
} toString{};

/// Returns the shape that NumPy broadcasts both to: they are aligned at the last axis, and extents of 1
/// stretch. Throws ShapeError, naming `operation` and both shapes, if they do not broadcast.
Shape broadcast(const Shape& a, const Shape& b, std::string_view operation);

}  // namespace tapestry
#pragma GCC visibility pop
