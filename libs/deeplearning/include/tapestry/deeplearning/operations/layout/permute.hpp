// Defines permute, the axes of a tensor in another order.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/view.hpp"
#include "tapestry/tensor/position.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

struct PermuteShapes {
  std::vector<std::ptrdiff_t> axes;
  Shape of(std::string_view name, const Shape& from) const {
    return kernels::View::permuted(from, axes, name).shape;
  }
  extend::Attributes attributes() const { return {{"axes", extend::integersOf(axes)}}; }
};

/// Returns the order that undoes a valid order.
inline std::vector<std::ptrdiff_t> inverseOrder(const std::vector<std::ptrdiff_t>& order) {
  std::vector<std::ptrdiff_t> inverse(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    inverse[*positionOf(order[i], order.size())] = static_cast<std::ptrdiff_t>(i);
  return inverse;
}

template <class X>
  requires isTensor<X>
X permuted(const X& x, const std::vector<std::ptrdiff_t>& order) {
  return kernels::read(x, kernels::View::permuted(x.shape(), order, "permute"));
}

}  // namespace detail

/// Axis i of y is axis axes[i] of x; negative axes count from the last (NumPy's transpose with axes). The
/// delta is permuted back. ShapeError unless each axis occurs exactly once.
auto permute(const NumericTensor auto& x, const std::vector<std::ptrdiff_t>& axes) {
  return unaryOperation<"permute", Keep::nothing>(
      [axes](const auto& value) { return detail::permuted(value, axes); },
      [axes](const auto& delta) { return detail::permuted(delta, detail::inverseOrder(axes)); },
      detail::PermuteShapes{axes})(x);
}

void permute(...) = delete;  // expected a Differentiable tensor, and an order of its axes

}  // namespace tapestry
#pragma GCC visibility pop
