// Defines element, one element of a tensor, also written x(i, j).
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/element_offset.hpp"

namespace tapestry {

namespace detail {

struct ElementShapes {
  std::vector<std::ptrdiff_t> indices;
  Shape of(std::string_view name, const Shape& from) const {
    static_cast<void>(elementOffset(name, from, indices));
    return {};
  }
};

}  // namespace detail

/// y = x[i, j, ...], a scalar of x's element type; the delta goes to that element, 0 to the others. Negative
/// indices count from the end. ShapeError unless there is an index for each axis, std::out_of_range for an
/// index beyond its axis, as soon as the shape is known. Layers and weights offer it as x(i, j); for a
/// literal it is the element itself.
template <Numeric A>
  requires detail::isTensor<DataOf<A>>
auto element(const A& x, const std::vector<std::ptrdiff_t>& indices) {
  const auto operation = unaryOperation<"element", Keep::shapes>(
      [indices](const auto& value) { return value.data()[elementOffset("element", value.shape(), indices)]; },
      [indices]<class T>(T delta, const Shape& from) {
        auto result = Tensor<T>::zeros(from);
        result.exclusiveData()[elementOffset("element", from, indices)] = delta;
        return result;
      },
      detail::ElementShapes{indices});
  return operation(x);
}

void element(...) = delete;  // expected a Differentiable tensor, and an index for each axis

}  // namespace tapestry
