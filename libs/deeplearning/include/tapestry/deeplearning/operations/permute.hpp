// Defines permute, the axes of a tensor in another order.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "tapestry/deeplearning/kernels/view.hpp"
#include "tapestry/deeplearning/operation.hpp"

namespace tapestry {

namespace detail {

struct PermuteShapes {
  std::vector<std::ptrdiff_t> axes;
  Shape of(std::string_view name, const Shape& from) const {
    return kernels::View::permuted(from, axes, name).shape;
  }
};

}  // namespace detail

/// Axis i of y is axis axes[i] of x, negative ones counted from the last (NumPy's transpose with axes); the
/// delta goes back in x's order. ShapeError unless each axis is there once.
template <Numeric A>
  requires detail::isTensor<DataOf<A>>
auto permute(const A& x, std::initializer_list<std::ptrdiff_t> axes) {
  const std::vector<std::ptrdiff_t> order(axes);
  const auto operation = unaryOperation<"permute", Keep::shapes>(
      [order](const auto& value) {
        return kernels::read(value, kernels::View::permuted(value.shape(), order, "permute"));
      },
      [order](const auto& delta, const Shape& from) {
        return kernels::spread(delta, kernels::View::permuted(from, order, "permute"), from);
      },
      detail::PermuteShapes{order});
  return operation(x);
}

}  // namespace tapestry
