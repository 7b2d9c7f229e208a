// Defines element, one element of a tensor, also written x(i, j).
#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>
#include <vector>

#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/element_offset.hpp"
#include "tapestry/tensor/kernels/view.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

struct ElementShapes {
  std::vector<std::ptrdiff_t> indices;
  Shape of(std::string_view name, const Shape& from) const {
    static_cast<void>(elementOffset(name, from, indices));
    return {};
  }
  extend::Attributes attributes() const { return {{"indices", extend::integersOf(indices)}}; }
};

/// Returns the element at the offset: of a tensor of another library as a tensor of rank 0.
template <class T>
T elementAt(const Tensor<T>& x, std::size_t offset) {
  return x.data()[offset];
}
auto elementAt(const OwnKernels auto& x, std::size_t offset) -> decltype(kernels::read(x, kernels::View{})) {
  return kernels::read(x, {.shape = {}, .offset = offset});
}

/// Returns zeros of the shape except for the element at the offset.
template <std::floating_point T>
Tensor<T> spreadElement(T element, std::size_t offset, const Shape& shape) {
  auto result = Tensor<T>::zeros(shape);
  result.exclusiveData()[offset] = element;
  return result;
}
auto spreadElement(const OwnKernels auto& element, std::size_t offset, const Shape& shape)
    -> decltype(kernels::spread(element, kernels::View{}, shape)) {
  return kernels::spread(element, {.shape = {}, .offset = offset}, shape);
}

}  // namespace detail

/// y = x[i, j, ...], a scalar of x's element type, or of a tensor of another library a tensor of rank 0; the
/// delta goes to that element, 0 to the others. Negative indices count from the end. ShapeError unless there
/// is an index for each axis, std::out_of_range for an index beyond its axis, as soon as the shape is known.
/// Layers and weights offer it as x(i, j); for a literal it is the element itself.
auto element(const NumericTensor auto& x, const std::vector<std::ptrdiff_t>& indices) {
  return unaryOperation<"element", Keep::shapes>(
      [indices](const auto& value) {
        return detail::elementAt(value, elementOffset("element", value.shape(), indices));
      },
      [indices](const auto& delta, const Shape& from) {
        return detail::spreadElement(delta, elementOffset("element", from, indices), from);
      },
      detail::ElementShapes{indices})(x);
}

void element(...) = delete;  // expected a Differentiable tensor, and an index for each axis

}  // namespace tapestry
#pragma GCC visibility pop
