// Defines split, a tensor in parts of one extent along an axis.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tapestry/deeplearning/numeric.hpp"
#include "tapestry/deeplearning/operations/layout/slice.hpp"
#include "tapestry/tensor/shape_error.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// `parts` slices of x, each of `extent` indices of the axis, one after the other: split(x, 3, 10, 1) of [B,
/// 30] is three [B, 10]. The axis counts from the first. The deltas of the parts add up in x. A part beyond
/// x's end is shorter, as slices are. ShapeError for an axis that no tensor can have, or, once the shape is
/// known, for an axis that x lacks.
auto split(const NumericTensor auto& x, std::size_t parts, std::size_t extent, std::ptrdiff_t axis = 0) {
  constexpr auto mostAxes = static_cast<std::ptrdiff_t>(Shape::maxRank);
  if (axis < 0 || axis >= mostAxes)
    throw ShapeError("split", "the axis is out of range", std::to_string(axis),
                     "0 to " + std::to_string(mostAxes - 1));
  using Part = decltype(slice(x, std::vector<Slice>()));
  std::vector<Part> result;
  result.reserve(parts);
  for (std::size_t part = 0; part < parts; ++part) {
    std::vector<Slice> slices(static_cast<std::size_t>(axis) + 1);
    slices.back() = {static_cast<std::ptrdiff_t>(part * extent),
                     static_cast<std::ptrdiff_t>((part + 1) * extent)};
    result.push_back(slice(x, std::move(slices)));
  }
  return result;
}

void split(...) = delete;  // expected a Differentiable tensor, how many parts, and their extent

}  // namespace tapestry
#pragma GCC visibility pop
