#include "tapestry/deeplearning/operations/layout/embedding.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

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
  if (std::ranges::equal(positions, indices.values())) return indices;  // the same object, for graphs
  return Indices(indices.shape(), std::move(positions));
}

}  // namespace tapestry::detail
