// Defines reshape, the same elements in another shape.
#pragma once

#include <string_view>

#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/shape_error.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

struct ReshapeShapes {
  Shape to;
  Shape of(std::string_view name, const Shape& from) const {
    if (from.size() != to.size())
      throw ShapeError(name, "the sizes differ", toString(from) + " to " + toString(to), "as many elements");
    return to;
  }
  extend::Attributes attributes() const { return {{"shape", extend::integersOf(to)}}; }
};

}  // namespace detail

/// y has x's elements, in row-major order; the delta goes back in x's shape. Copies nothing. ShapeError if
/// the sizes differ.
auto reshape(const NumericTensor auto& x, const Shape& shape) {
  return unaryOperation<"reshape", Keep::shapes>(
      [shape](const auto& value) { return value.reshape(shape); },
      [](const auto& delta, const Shape& from) { return delta.reshape(from); },
      detail::ReshapeShapes{shape})(x);
}

void reshape(...) = delete;  // expected a Differentiable tensor, and a Shape

}  // namespace tapestry
#pragma GCC visibility pop
