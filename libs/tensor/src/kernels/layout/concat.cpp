#include <tapestry/tensor/kernels/concat.hpp>

#include <algorithm>
#include <array>
#include <vector>

#include <tapestry/tensor/axes.hpp>
#include <tapestry/tensor/position.hpp>
#include <tapestry/tensor/shape_error.hpp>

namespace tapestry::kernels {

Shape concatShape(std::span<const Shape> parts, std::ptrdiff_t axis, std::string_view operation) {
  const Shape& first = parts.front();
  const std::size_t along = resolveAxis(axis, first, operation);
  std::array<std::size_t, Shape::maxRank> extents{};
  std::copy(first.begin(), first.end(), extents.begin());
  for (const Shape& part : parts.subspan(1)) {
    bool fits = part.rank() == first.rank();
    for (std::size_t i = 0; fits && i < first.rank(); ++i) fits = i == along || part[i] == first[i];
    if (!fits)
      throw ShapeError(operation, "the shapes differ beside the axis",
                       toString(first) + " and " + toString(part) + " along axis " + std::to_string(axis),
                       "equal extents of all other axes");
    extents[along] += part[along];
  }
  return Shape(std::span<const std::size_t>(extents.data(), first.rank()));
}

View partOf(const Shape& whole, std::ptrdiff_t axis, std::size_t first, std::size_t extent) {
  std::vector<Slice> slices(*positionOf(axis, whole.rank()) + 1);
  slices.back() = {static_cast<std::ptrdiff_t>(first), static_cast<std::ptrdiff_t>(first + extent)};
  return View::sliced(whole, slices, "concat");
}

std::size_t extentOf(const Shape& shape, std::ptrdiff_t axis) noexcept {
  return shape[*positionOf(axis, shape.rank())];
}

}  // namespace tapestry::kernels
