// Defines split, a tensor in equal parts along an axis.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tapestry/deeplearning/detail/expects.hpp"
#include "tapestry/deeplearning/numeric.hpp"
#include "tapestry/deeplearning/operations/slice.hpp"
#include "tapestry/deeplearning/shape_error.hpp"

namespace tapestry {

/// `parts` slices of x, each of `extent` indices of the axis, one after the other: split(x, 3, 10, 1) of
/// [B, 30] is three [B, 10]. The axis counts from the first. The deltas of the parts meet again in x. A part
/// beyond x's end is shorter, as slices are.
template <Numeric A>
  requires detail::isTensor<DataOf<A>>
auto split(const A& x, std::size_t parts, std::size_t extent, std::size_t axis = 0) {
  using Part = decltype(slice(x, std::vector<Slice>()));
  std::vector<Part> result;
  result.reserve(parts);
  for (std::size_t part = 0; part < parts; ++part) {
    std::vector<Slice> slices(axis + 1);
    slices[axis] = {static_cast<std::ptrdiff_t>(part * extent),
                    static_cast<std::ptrdiff_t>((part + 1) * extent)};
    result.push_back(slice(x, std::move(slices)));
  }
  return result;
}

template <class = void>
detail::Misfit split(detail::ExpectsTensor<"split">, detail::Misfit, detail::Misfit, detail::Misfit = {});

}  // namespace tapestry
