// Defines HeightWidth, a pair of extents, steps or margins of a plane, often given as one number.
#pragma once

#include <compare>
#include <cstddef>

#pragma GCC visibility push(default)
namespace tapestry {

/// Converts from one number, which applies to both, and from `{height, width}`.
struct HeightWidth {
  std::size_t height;
  std::size_t width;

  constexpr HeightWidth(std::size_t both) noexcept : height(both), width(both) {}
  constexpr HeightWidth(std::size_t first, std::size_t second) noexcept : height(first), width(second) {}

  friend constexpr auto operator<=>(const HeightWidth&, const HeightWidth&) noexcept = default;
};

}  // namespace tapestry
#pragma GCC visibility pop
