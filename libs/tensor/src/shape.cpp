#include <tapestry/tensor/shape.hpp>

#include <cstdint>

#include <tapestry/tensor/shape_error.hpp>

namespace tapestry {

namespace {

std::string join(std::span<const std::size_t> extents) {
  std::string text = "[";
  for (const std::size_t extent : extents) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(extent);
  }
  return text += ']';
}

// Extents of 0 count as 1, so that the strides of an empty shape are addressable as well.
bool isAddressable(std::span<const std::size_t> extents) {
  std::size_t bytes = sizeof(double);
  bool overflow = false;
  for (const std::size_t extent : extents)
    overflow |= __builtin_mul_overflow(bytes, std::max<std::size_t>(extent, 1), &bytes);
  return !overflow && bytes <= PTRDIFF_MAX;
}

}  // namespace

Shape::Shape(std::span<const std::size_t> extents) : rank_(extents.size()) {
  if (rank_ > maxRank)
    throw ShapeError("Shape", "too many axes", join(extents), "at most " + std::to_string(maxRank));
  if (!isAddressable(extents))
    throw ShapeError("Shape", "too large", join(extents), "a size that memory can hold");
  std::copy(extents.begin(), extents.end(), extents_.begin());
}

std::string ShapeToString::operator()(const Shape& shape) const { return join({shape.begin(), shape.end()}); }

Shape broadcast(const Shape& a, const Shape& b, std::string_view operation) {
  const Shape& longer = a.rank() < b.rank() ? b : a;
  const Shape& shorter = a.rank() < b.rank() ? a : b;
  const std::size_t added = longer.rank() - shorter.rank();
  std::array<std::size_t, Shape::maxRank> extents{};
  std::copy(longer.begin(), longer.end(), extents.begin());
  for (std::size_t axis = 0; axis < shorter.rank(); ++axis) {
    std::size_t& extent = extents[added + axis];
    if (extent == 1) extent = shorter[axis];
    if (shorter[axis] != extent && shorter[axis] != 1)
      throw ShapeError(operation, "shapes do not broadcast", toString(a) + " and " + toString(b),
                       "extents that are equal or 1, aligned at the last axis");
  }
  return Shape(std::span(extents.data(), longer.rank()));
}

}  // namespace tapestry
