#include <tapestry/tensor/axes.hpp>

#include <algorithm>
#include <string>

#include <tapestry/tensor/position.hpp>
#include <tapestry/tensor/shape_error.hpp>

namespace tapestry {

Axes::Axes(std::span<const std::ptrdiff_t> axes) : count_(axes.size()) {
  if (count_ > Shape::maxRank)
    throw ShapeError("Axes", "too many axes", std::to_string(count_),
                     "at most " + std::to_string(Shape::maxRank));
  std::copy(axes.begin(), axes.end(), axes_.begin());
}

Axes Axes::all() noexcept {
  Axes axes{std::span<const std::ptrdiff_t>()};
  axes.all_ = true;
  return axes;
}

std::bitset<Shape::maxRank> Axes::resolve(const Shape& shape, std::string_view operation) const {
  const auto fault = [&](std::string_view problem, std::ptrdiff_t axis) {
    const std::string rank = std::to_string(shape.rank());
    return ShapeError(operation, problem, "axis " + std::to_string(axis) + " of " + toString(shape),
                      shape.rank() == 0
                          ? "none, for a scalar has no axes"
                          : "different axes in -" + rank + " .. " + std::to_string(shape.rank() - 1));
  };
  std::bitset<Shape::maxRank> chosen;
  if (all_)
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) chosen.set(axis);
  for (std::size_t i = 0; i < count_; ++i) {
    const auto axis = positionOf(axes_[i], shape.rank());
    if (!axis) throw fault("axis out of range", axes_[i]);
    if (chosen[*axis]) throw fault("axis chosen twice", axes_[i]);
    chosen.set(*axis);
  }
  return chosen;
}

std::size_t resolveAxis(std::ptrdiff_t axis, const Shape& shape, std::string_view operation) {
  static_cast<void>(Axes({axis}).resolve(shape, operation));
  return *positionOf(axis, shape.rank());
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
