#include "tapestry/deeplearning/operations/layout/translate.hpp"

#include <algorithm>
#include <string>

#include "tapestry/tensor/shape_error.hpp"

namespace tapestry::detail {

Shape TranslateShapes::of(std::string_view name, const Shape& from) const {
  if (offsets.size() > from.rank())
    throw ShapeError(name, "too many offsets", std::to_string(offsets.size()) + " of " + toString(from),
                     "at most one for each axis");
  return from;
}

kernels::View TranslateShapes::staying(const Shape& shape, std::ptrdiff_t sign) const {
  std::vector<Slice> slices;
  for (std::size_t axis = 0; axis < offsets.size(); ++axis) {
    const auto extent = static_cast<std::ptrdiff_t>(shape[axis]);
    const std::ptrdiff_t offset = sign * std::clamp(offsets[axis], -extent, extent);
    slices.push_back({std::max<std::ptrdiff_t>(0, -offset), extent - std::max<std::ptrdiff_t>(0, offset)});
  }
  return kernels::View::sliced(shape, slices, "translate");
}

}  // namespace tapestry::detail
