#include "tapestry/tensor/storage/shape_in_file.hpp"

#include <algorithm>

#include <tapestry/tensor/shape_error.hpp>

namespace tapestry {

namespace {

std::string text(std::span<const std::size_t> extents) {
  constexpr std::size_t shown = 16;
  std::string result = "[";
  for (std::size_t i = 0; i < std::min(shown, extents.size()); ++i)
    result += (i > 0 ? ", " : "") + std::to_string(extents[i]);
  return result + (extents.size() > shown ? ", ...]" : "]");
}

}  // namespace

ShapeInFile shapeInFile(const PlainFile& file, const std::string& of, std::span<const std::size_t> extents,
                        std::size_t elementSize) {
  if (extents.size() > Shape::maxRank)
    file.fail(of + "too many axes, got " + text(extents) + ", expected at most " +
              std::to_string(Shape::maxRank));
  try {
    const Shape shape(extents);
    return {shape, shape.size() * elementSize};  // Shape ensures that 8 bytes each do not overflow
  } catch (const ShapeError&) {
    file.fail(of + "too large a shape, got " + text(extents) + ", expected a size that memory can hold");
  }
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t shown = 80;
  std::string result = "\"";
  for (const char c : text.substr(0, shown)) result += c >= ' ' && c <= '~' ? c : '?';
  return result + (text.size() > shown ? "...\"" : "\"");
}

}  // namespace tapestry
