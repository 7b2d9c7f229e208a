// Defines dot, the inner product of two vectors.
#pragma once

#include <string_view>

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/matmul.hpp"
#include "tapestry/tensor/shape_error.hpp"

namespace tapestry {

namespace detail {

struct DotShapes {
  static Shape of(std::string_view name, const Shape& x, const Shape& y) {
    if (x.rank() != 1 || x != y)
      throw ShapeError(name, "not two vectors of one size", toString(x) + " and " + toString(y),
                       "[N] and [N]");
    return {};
  }
};

}  // namespace detail

namespace operations {

/// z = sum of x[i] * y[i], a scalar of their element type, computed as a product of matrices; dz/dx = y,
/// dz/dy = x. ShapeError unless both are vectors of one size.
inline constexpr auto dot = binaryOperation<"dot", Keep::operands, detail::DotShapes>(
    []<class T>(const Tensor<T>& x, const Tensor<T>& y) {
      detail::DotShapes::of("dot", x.shape(), y.shape());
      return kernels::matmul(x, y).item();
    },
    [](auto delta, const auto&, const auto& y) { return kernels::scale(y, delta); },
    [](auto delta, const auto& x, const auto&) { return kernels::scale(x, delta); });

}  // namespace operations

template <class A, class B>
  requires Meeting<A, B> && detail::isTensor<DataOf<A>> && detail::isTensor<DataOf<B>>
auto dot(const A& x, const B& y) {
  return operations::dot(x, y);
}

void dot(...) = delete;  // expected Differentiable tensors of one element type

}  // namespace tapestry
