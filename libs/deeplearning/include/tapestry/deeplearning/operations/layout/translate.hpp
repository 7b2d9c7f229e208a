// Defines translate, a tensor moved along its axes.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/view.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

struct TranslateShapes {
  std::vector<std::ptrdiff_t> offsets;
  extend::Attributes attributes() const { return {{"offsets", extend::integersOf(offsets)}}; }
  Shape of(std::string_view name, const Shape& from) const;
  /// The view of the elements that stay inside when moved by `sign` times the offsets, at their places before
  /// the move.
  kernels::View staying(const Shape& shape, std::ptrdiff_t sign) const;
};

}  // namespace detail

/// y[i + a, j + b, ...] = x[i, j, ...] where both are inside, else 0, for the offsets {a, b, ...} of the
/// leading axes; they may be negative, and larger than x. The shape does not change. The delta is moved back.
/// ShapeError for more offsets than axes.
auto translate(const NumericTensor auto& x, std::vector<std::ptrdiff_t> offsets) {
  const detail::TranslateShapes shapes{std::move(offsets)};
  const auto moved = [shapes](const auto& value, std::ptrdiff_t sign) {
    const Shape shape = shapes.of("translate", value.shape());
    return kernels::spread(kernels::read(value, shapes.staying(shape, sign)), shapes.staying(shape, -sign),
                           shape);
  };
  return unaryOperation<"translate", Keep::nothing>([moved](const auto& value) { return moved(value, 1); },
                                                    [moved](const auto& delta) { return moved(delta, -1); },
                                                    shapes)(x);
}

void translate(...) = delete;  // expected a Differentiable tensor, and an offset for each leading axis

}  // namespace tapestry
#pragma GCC visibility pop
