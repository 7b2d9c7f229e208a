// Defines slice, which selects indices along each axis.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/view.hpp"
#include "tapestry/tensor/slice.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

struct SliceShapes {
  std::vector<Slice> slices;
  Shape of(std::string_view name, const Shape& from) const {
    return kernels::View::sliced(from, slices, name).shape;
  }
  /// The largest number represents Slice::end.
  extend::Attributes attributes() const;
};

}  // namespace detail

/// slice(x, {Slice{1, 3}, Slice{.step = 2}}) is x[1:3, ::2] of NumPy: a slice for each of the leading axes,
/// all of which remain. The selected elements get the delta, all others 0. ShapeError for more slices than
/// axes and for a step of 0.
auto slice(const NumericTensor auto& x, std::vector<Slice> slices) {
  return unaryOperation<"slice", Keep::shapes>(
      [slices](const auto& value) {
        return kernels::read(value, kernels::View::sliced(value.shape(), slices, "slice"));
      },
      [slices](const auto& delta, const Shape& from) {
        return kernels::spread(delta, kernels::View::sliced(from, slices, "slice"), from);
      },
      detail::SliceShapes{slices})(x);
}

auto slice(const NumericTensor auto& x, std::initializer_list<Slice> slices) {
  return slice(x, std::vector<Slice>(slices));
}

void slice(...) = delete;  // expected a Differentiable tensor, and a Slice for each leading axis

}  // namespace tapestry
#pragma GCC visibility pop
