// Defines softmax, weights that are positive and add up to 1 along an axis.
#pragma once

#include <cstddef>
#include <string_view>

#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/axes.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"
#include "tapestry/tensor/kernels/reduction.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// The rule for shapes of an operation along one axis that keeps the shape.
struct AlongAxis {
  std::ptrdiff_t axis;
  Shape of(std::string_view name, const Shape& from) const {
    static_cast<void>(Axes({axis}).resolve(from, name));
    return from;
  }
  extend::Attributes attributes() const { return {{"axis", std::int64_t{axis}}}; }
};

}  // namespace detail

/// y = e^x / sum(e^x) along the axis, finite for all finite x; dx = y * (delta - sum(delta * y)). An x of
/// -inf has weight 0; if all x along the axis are -inf, or one is inf or NaN, there are no weights, and y is
/// NaN. ShapeError for an axis that x lacks.
template <NumericTensor A>
auto softmax(const A& x, std::ptrdiff_t axis = -1) {
  return unaryOperation<"softmax", Keep::output>(
      [axis](const auto& value) { return kernels::softmax(value, {axis}); },
      [axis](const auto& delta, const auto& y) {
        const auto total = kernels::sum(kernels::multiply(delta, y), {axis}, true);
        return kernels::multiply(kernels::subtract(delta, total), y);
      },
      detail::AlongAxis{axis})(x);
}

void softmax(...) = delete;  // expected a Differentiable tensor, and maybe an axis

}  // namespace tapestry
#pragma GCC visibility pop
