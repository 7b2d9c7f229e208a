#include <tapestry/tensor/slice.hpp>

#include <algorithm>

#include <tapestry/tensor/shape_error.hpp>

namespace tapestry {

Slice::Range Slice::of(std::size_t extent, std::string_view operation) const {
  if (step == 0) throw ShapeError(operation, "the slice does not advance", "a step of 0", "another step");
  const auto size = static_cast<std::ptrdiff_t>(extent);
  // the range of start and stop, which is one lower if the step is negative
  const std::ptrdiff_t lowest = step > 0 ? 0 : -1;
  const std::ptrdiff_t highest = step > 0 ? size : size - 1;
  const auto place = [&](std::ptrdiff_t bound, std::ptrdiff_t otherwise) {
    if (bound == end) return otherwise;
    return std::clamp(bound < 0 ? bound + size : bound, lowest, highest);
  };
  const std::ptrdiff_t from = place(start, step > 0 ? lowest : highest);
  const std::ptrdiff_t to = place(stop, step > 0 ? highest : lowest);
  const std::ptrdiff_t distance = step > 0 ? to - from : from - to;
  if (distance <= 0) return {0, 0, step};
  const auto forward = static_cast<std::size_t>(step);
  const std::size_t stride =
      step > 0 ? forward : 0 - forward;  // the negative of the least step is no ptrdiff_t
  return {static_cast<std::size_t>(from), (static_cast<std::size_t>(distance) - 1) / stride + 1, step};
}

}  // namespace tapestry
