#include "tapestry/deeplearning/operations/layout/pad.hpp"

#include <limits>
#include <string>

#include "tapestry/tensor/shape_error.hpp"

namespace tapestry::detail {

Shape PadShapes::of(std::string_view name, const Shape& from) const {
  if (padding.size() > from.rank())
    throw ShapeError(name, "too many pairs", std::to_string(padding.size()) + " of " + toString(from),
                     "at most one for each axis");
  constexpr std::size_t limit = std::numeric_limits<std::size_t>::max() / 8;  // sums of three fit
  std::vector<std::size_t> extents(from.begin(), from.end());
  for (std::size_t axis = 0; axis < padding.size(); ++axis) {
    const auto [before, after] = padding[axis];
    if (before > limit || after > limit)
      throw ShapeError(name, "the border is too large",
                       std::to_string(before) + " and " + std::to_string(after) + " for axis " +
                           std::to_string(axis) + " of " + toString(from),
                       "what memory can address");
    extents[axis] += before + after;
  }
  return Shape(std::span<const std::size_t>(extents));
}

kernels::View PadShapes::inside(const Shape& from) const {
  std::vector<Slice> slices;
  for (std::size_t axis = 0; axis < padding.size(); ++axis) {
    const auto first = static_cast<std::ptrdiff_t>(padding[axis].first);
    slices.push_back({first, first + static_cast<std::ptrdiff_t>(from[axis])});
  }
  return kernels::View::sliced(of("pad", from), slices, "pad");
}

}  // namespace tapestry::detail
