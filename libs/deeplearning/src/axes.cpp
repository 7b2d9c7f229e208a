#include <tapestry/deeplearning/axes.hpp>

#include <algorithm>
#include <string>

#include <tapestry/deeplearning/shape_error.hpp>

namespace tapestry {

Axes::Axes(std::span<const std::ptrdiff_t> axes) : count_(axes.size()) {
  if (count_ > Shape::maxRank)
    throw ShapeError("Axes", "too many axes", std::to_string(count_),
                     "at most " + std::to_string(Shape::maxRank));
  std::copy(axes.begin(), axes.end(), axes_.begin());
}

std::bitset<Shape::maxRank> Axes::resolve(const Shape& shape, std::string_view operation) const {
  const auto rank = static_cast<std::ptrdiff_t>(shape.rank());
  const auto fault = [&](std::string_view problem, std::ptrdiff_t axis) {
    return ShapeError(operation, problem, "axis " + std::to_string(axis) + " of " + toString(shape),
                      "different axes in -" + std::to_string(rank) + " .. " + std::to_string(rank - 1));
  };
  std::bitset<Shape::maxRank> chosen;
  for (std::size_t i = 0; i < count_; ++i) {
    const std::ptrdiff_t axis = axes_[i] < 0 ? axes_[i] + rank : axes_[i];
    if (axis < 0 || axis >= rank) throw fault("axis out of range", axes_[i]);
    if (chosen[static_cast<std::size_t>(axis)]) throw fault("axis chosen twice", axes_[i]);
    chosen.set(static_cast<std::size_t>(axis));
  }
  return chosen;
}

Shape reducedShape(const Shape& shape, const std::bitset<Shape::maxRank>& reduced, bool keepDims) {
  std::array<std::size_t, Shape::maxRank> extents{};
  std::size_t rank = 0;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (!reduced[axis])
      extents[rank++] = shape[axis];
    else if (keepDims)
      extents[rank++] = 1;
  }
  return Shape(std::span(extents.data(), rank));
}

}  // namespace tapestry
