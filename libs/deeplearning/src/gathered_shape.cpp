#include "gathered_shape.hpp"

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tapestry::detail {

Shape gatheredShape(std::string_view name, const Indices& indices, const Shape& table) {
  for (const std::int64_t index : indices.values())
    if (index < 0 || static_cast<std::size_t>(index) >= table[0])
      throw std::out_of_range("tapestry::" + std::string(name) + ": a row is out of range, got " +
                              std::to_string(index) + " of " + std::to_string(table[0]) +
                              " rows, expected at least 0 and less than that");
  std::vector<std::size_t> extents(indices.shape().begin(), indices.shape().end());
  extents.insert(extents.end(), table.begin() + 1, table.end());
  return Shape(std::span<const std::size_t>(extents));
}

}  // namespace tapestry::detail
