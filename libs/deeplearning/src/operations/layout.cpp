#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "tapestry/deeplearning/operations/layout/embedding.hpp"
#include "tapestry/deeplearning/operations/layout/pad.hpp"
#include "tapestry/deeplearning/operations/layout/translate.hpp"
#include "tapestry/tensor/indices.hpp"
#include "tapestry/tensor/position.hpp"
#include "tapestry/tensor/shape_error.hpp"

namespace tapestry::detail {

Shape EmbeddingShapes::of(std::string_view name, const Shape& table) const {
  return gatheredShape(name, indices, table);
}

void requireTable(const Shape& table) {
  if (table.rank() != 2) throw ShapeError("embedding", "not a table", toString(table), "[V, D]");
}

Indices embeddingIndices(const Indices& indices, const Shape& table) {
  const auto isPosition = [rows = table[0]](std::int64_t index) {
    return static_cast<std::uint64_t>(index) < rows;  // not so for a negative index
  };
  if (std::ranges::all_of(indices.values(), isPosition)) return indices;  // the same object, for graphs
  std::vector<std::int64_t> positions;
  positions.reserve(indices.size());
  for (const std::int64_t index : indices.values()) {
    const auto position = positionOf(index, table[0]);
    if (!position)
      throw std::out_of_range("tapestry::embedding: a row is out of range, got " + std::to_string(index) +
                              " of " + std::to_string(table[0]) +
                              " rows, expected an index below that, or down to minus it");
    positions.push_back(static_cast<std::int64_t>(*position));
  }
  return Indices(indices.shape(), std::move(positions));
}

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
  const Shape padded = of("pad", from);  // throws for pairs of axes that `from` does not have
  std::vector<Slice> slices;
  for (std::size_t axis = 0; axis < padding.size(); ++axis) {
    const auto first = static_cast<std::ptrdiff_t>(padding[axis].first);
    slices.push_back({first, first + static_cast<std::ptrdiff_t>(from[axis])});
  }
  return kernels::View::sliced(padded, slices, "pad");
}

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
