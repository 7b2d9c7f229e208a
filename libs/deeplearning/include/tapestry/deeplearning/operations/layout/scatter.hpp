// Defines scatter, which adds slices to zeros at integer indices.
#pragma once

#include <cstddef>
#include <string_view>

#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/gather.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

struct ScatterShapes {
  Indices indices;
  std::ptrdiff_t axis;
  std::size_t extent;
  Shape of(std::string_view, const Shape& from) const {
    return kernels::scatterShape(from, indices, axis, extent);
  }
  extend::Attributes attributes() const { return {{"indices", indices}, {"axis", axis}, {"extent", extent}}; }
};

}  // namespace detail

/// y[a.., k, b..] = the sum of all x[a.., i.., b..] with indices[i..] = k, the transpose of gather: an axis
/// of that extent replaces the indices' shape, and is 0 where no index points. The delta is gathered. A
/// negative axis counts from y's last, negative indices from the end. ShapeError if x does not have the
/// indices' shape there, std::out_of_range for an index out of range.
auto scatter(const NumericTensor auto& x, const Indices& indices, std::ptrdiff_t axis, std::size_t extent) {
  return unaryOperation<"scatter", Keep::nothing>(
      [=](const auto& value) { return kernels::scatter(value, indices, axis, extent); },
      [=](const auto& delta) { return kernels::gather(delta, indices, axis); },
      detail::ScatterShapes{indices, axis, extent})(x);
}

void scatter(...) = delete;  // expected a Differentiable tensor, Indices, an axis and its extent

}  // namespace tapestry
#pragma GCC visibility pop
