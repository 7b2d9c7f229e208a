#include "tapestry/deeplearning/operations/embedding.hpp"

#include "gathered_shape.hpp"

namespace tapestry::detail {

Shape EmbeddingShapes::of(std::string_view name, const Shape& table) const {
  return gatheredShape(name, indices, table);
}

}  // namespace tapestry::detail
