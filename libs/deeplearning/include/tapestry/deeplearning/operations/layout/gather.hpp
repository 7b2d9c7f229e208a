// Defines gather, which selects slices along an axis by integer indices.
#pragma once

#include <cstddef>
#include <string_view>

#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/axes.hpp"
#include "tapestry/tensor/kernels/gather.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

struct GatherShapes {
  Indices indices;
  std::ptrdiff_t axis;
  Shape of(std::string_view, const Shape& from) const { return kernels::gatherShape(from, indices, axis); }
  extend::Attributes attributes() const { return {{"indices", indices}, {"axis", std::int64_t{axis}}}; }
};

}  // namespace detail

/// y[a.., i.., b..] = x[a.., indices[i..], b..], as NumPy's take: the indices' shape replaces the axis, so
/// that rows [V, D] at indices [B, T] are [B, T, D]. The deltas of one slice add up. A negative axis counts
/// from the last, negative indices from the end. ShapeError for an axis, std::out_of_range for an index out
/// of range.
auto gather(const NumericTensor auto& x, const Indices& indices, std::ptrdiff_t axis = 0) {
  return unaryOperation<"gather", Keep::shapes>(
      [=](const auto& value) { return kernels::gather(value, indices, axis); },
      [=](const auto& delta, const Shape& from) {
        return kernels::scatter(delta, indices, axis, from[resolveAxis(axis, from, "gather")]);
      },
      detail::GatherShapes{indices, axis})(x);
}

void gather(...) = delete;  // expected a Differentiable tensor, Indices, and maybe an axis

}  // namespace tapestry
#pragma GCC visibility pop
