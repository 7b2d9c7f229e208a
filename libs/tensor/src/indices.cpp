#include <tapestry/tensor/indices.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <tapestry/tensor/shape_error.hpp>

namespace tapestry {

Indices::Indices(std::vector<std::int64_t> values)
    : shape_{values.size()}, shared_(std::make_shared<const Shared>(std::move(values))) {}

Indices::Indices(const Shape& shape, std::vector<std::int64_t> values)
    : shape_(shape), shared_(std::make_shared<const Shared>(std::move(values))) {
  if (size() != shape.size())
    throw ShapeError("Indices", "the number of values differs from the shape's size",
                     std::to_string(size()) + " values for " + toString(shape), std::to_string(shape.size()));
}

Shape gatheredShape(std::string_view name, const Indices& indices, const Shape& table) {
  const auto isOutside = [n = table[0]](std::int64_t index) {
    return static_cast<std::uint64_t>(index) >= n;  // a negative index is large then
  };
  const auto all = indices.values();
  if (const auto outside = std::ranges::find_if(all, isOutside); outside != all.end())
    throw std::out_of_range("tapestry::" + std::string(name) + ": a row is out of range, got " +
                            std::to_string(*outside) + " of " + std::to_string(table[0]) +
                            " rows, expected at least 0 and less than that");
  std::vector<std::size_t> extents(indices.shape().begin(), indices.shape().end());
  extents.insert(extents.end(), table.begin() + 1, table.end());
  return Shape(std::span<const std::size_t>(extents));
}

}  // namespace tapestry
