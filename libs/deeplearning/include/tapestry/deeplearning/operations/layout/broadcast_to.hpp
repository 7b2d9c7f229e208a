// Defines broadcastTo, a tensor repeated along new and stretched axes.
#pragma once

#include <string_view>

#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/broadcast.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

struct BroadcastShapes {
  Shape to;
  Shape of(std::string_view name, const Shape& from) const {
    kernels::requireBroadcast(name, from, to);
    return to;
  }
  extend::Attributes attributes() const { return {{"shape", extend::integersOf(to)}}; }
};

}  // namespace detail

/// y is x as NumPy broadcasts it to the shape; the delta is summed over the axes that were added or
/// stretched. ShapeError if x does not broadcast to the shape. Operators broadcast by themselves, without a
/// copy.
auto broadcastTo(const NumericTensor auto& x, const Shape& shape) {
  return unaryOperation<"broadcastTo", Keep::shapes>(
      [shape](const auto& value) { return kernels::broadcastTo(value, shape); },
      [](const auto& delta, const Shape& from) { return kernels::sumTo(delta, from); },
      detail::BroadcastShapes{shape})(x);
}

void broadcastTo(...) = delete;  // expected a Differentiable tensor, and a Shape

}  // namespace tapestry
#pragma GCC visibility pop
