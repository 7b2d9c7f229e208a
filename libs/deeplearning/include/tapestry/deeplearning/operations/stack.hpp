// Defines stack, tensors side by side along a new axis.
#pragma once

#include <cstddef>
#include <ranges>
#include <vector>

#include "tapestry/deeplearning/detail/expects.hpp"
#include "tapestry/deeplearning/numeric.hpp"
#include "tapestry/deeplearning/operations/concat.hpp"
#include "tapestry/deeplearning/operations/expand_dims.hpp"

namespace tapestry {

/// The tensors of a range, of one shape, along a new axis; otherwise as concat.
template <std::ranges::forward_range R>
  requires Numeric<std::ranges::range_value_t<R>> && detail::isTensor<DataOf<std::ranges::range_value_t<R>>>
auto stack(const R& range, std::ptrdiff_t axis = 0) {
  std::vector<decltype(expandDims(*std::ranges::begin(range), axis))> expanded;
  for (const auto& part : range) expanded.push_back(expandDims(part, axis));
  return concat(expanded, axis);
}

template <class = void>
detail::Misfit stack(detail::ExpectsTensorRange<"stack">, detail::Misfit = {});

}  // namespace tapestry
