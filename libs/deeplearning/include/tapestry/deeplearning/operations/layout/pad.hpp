// Defines pad, a tensor with a border of one value.
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

struct PadShapes {
  std::vector<std::pair<std::size_t, std::size_t>> padding;
  double value;
  extend::Attributes attributes() const;
  Shape of(std::string_view name, const Shape& from) const;
  /// The view of x's place in the result.
  kernels::View inside(const Shape& from) const;
};

}  // namespace detail

/// pad(x, {{1, 2}, {0, 3}}) has one element of `value` before x's and two after them along the first axis,
/// none before and three after along the second: a pair for each of the leading axes. x gets the delta of its
/// place. ShapeError for more pairs than axes, and for a result that memory cannot address.
auto pad(const NumericTensor auto& x, std::vector<std::pair<std::size_t, std::size_t>> padding,
         double value = 0) {
  const detail::PadShapes shapes{std::move(padding), value};
  return unaryOperation<"pad", Keep::shapes>(
      [shapes, value]<class X>(const X& data) {
        return kernels::spread(data, shapes.inside(data.shape()), shapes.of("pad", data.shape()),
                               static_cast<detail::ElementOf<X>>(value));
      },
      [shapes](const auto& delta, const Shape& from) { return kernels::read(delta, shapes.inside(from)); },
      shapes)(x);
}

void pad(...) = delete;  // expected a Differentiable tensor, pairs such as {{1, 2}, {0, 3}}, maybe a value

}  // namespace tapestry
#pragma GCC visibility pop
