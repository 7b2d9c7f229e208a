// Defines stack, which joins tensors along a new axis.
#pragma once

#include <cstddef>
#include <span>  // the concepts of ranges, without the views
#include <vector>

#include "tapestry/deeplearning/numeric.hpp"
#include "tapestry/deeplearning/operations/layout/concat.hpp"
#include "tapestry/deeplearning/operations/layout/expand_dims.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Joins the tensors of a range, which have one shape, along a new axis; otherwise as concat.
auto stack(const detail::TensorRange auto& range, std::ptrdiff_t axis = 0) {
  const auto expand = detail::namedFor<"stack">(detail::expandDimsOperation({axis}));
  std::vector<decltype(expand(*std::ranges::begin(range)))> expanded;
  for (const auto& part : range) expanded.push_back(expand(part));
  return detail::concatFor("stack", expanded, axis);
}

void stack(...) = delete;  // expected a range of Differentiable tensors, and maybe an axis

}  // namespace tapestry
#pragma GCC visibility pop
