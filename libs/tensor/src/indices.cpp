#include <tapestry/tensor/indices.hpp>

#include <string>
#include <utility>

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

}  // namespace tapestry
