// Defines Slice, the choice of some indices along an axis.
#pragma once

#include <cstddef>
#include <limits>
#include <string_view>

#pragma GCC visibility push(default)
namespace tapestry {

/// Works as Python's start:stop:step: selects the indices start, start + step, ... before stop. Negative
/// bounds count from the end, bounds beyond the ends are clamped, and omitted bounds are the ends in the
/// direction of the step. Slice{} is a whole axis, Slice{.step = -1} a whole axis backwards, Slice::at(i) the
/// index i alone.
struct Slice {
  static constexpr std::ptrdiff_t end = std::numeric_limits<std::ptrdiff_t>::max();

  std::ptrdiff_t start = end;
  std::ptrdiff_t stop = end;
  std::ptrdiff_t step = 1;

  /// Returns the slice of one index, which may count from the end. It selects nothing on an axis that has no
  /// such index.
  static constexpr Slice at(std::ptrdiff_t index) noexcept {
    if (index == end) return {0, 0, 1};  // no axis is that long, and as a start it would mean the first index
    return {index, index == -1 ? end : index + 1, 1};
  }

  /// The chosen part of an axis.
  struct Range {
    std::size_t first = 0;
    std::size_t count = 0;
    std::ptrdiff_t step = 1;
  };
  /// Throws ShapeError, naming `operation`, for a step of 0.
  Range of(std::size_t extent, std::string_view operation) const;
};

}  // namespace tapestry
#pragma GCC visibility pop
