// Defines dot, the inner product of two vectors.
#pragma once

#include <string_view>

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/matmul.hpp"
#include "tapestry/tensor/shape_error.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

struct DotShapes {
  static Shape of(std::string_view name, const Shape& x, const Shape& y) {
    if (x.rank() != 1 || x != y)
      throw ShapeError(name, "not two vectors of one size", toString(x) + " and " + toString(y),
                       "[N] and [N]");
    return {};
  }
  static std::uint64_t multiplications(const Shape& x, const Shape&) { return x.size(); }
};

/// Returns the product of two vectors: of tensors of another library as a tensor of rank 0.
template <class T>
T innerProduct(const Tensor<T>& x, const Tensor<T>& y) {
  return kernels::matmul(x, y).item();
}
template <OwnKernels X>
auto innerProduct(const X& x, const X& y) -> decltype(kernels::matmul(x, y)) {
  return kernels::matmul(x, y);
}

}  // namespace detail

namespace operations {

/// z = sum of x[i] * y[i], a scalar of their element type, or of tensors of another library a tensor of rank
/// 0, computed as a product of matrices; dz/dx = y, dz/dy = x. ShapeError unless both are vectors of one
/// size.
inline constexpr auto dot = binaryOperation<"dot", Keep::operands, detail::DotShapes>(
    []<class X>(const X& x, const X& y) -> decltype(detail::innerProduct(x, y)) {
      detail::DotShapes::of("dot", x.shape(), y.shape());
      return detail::innerProduct(x, y);
    },
    [](const auto& delta, const auto&, const auto& y) { return kernels::scale(y, delta); },
    [](const auto& delta, const auto& x, const auto&) { return kernels::scale(x, delta); });

}  // namespace operations

template <class A>
auto dot(const A& x, const MeetingTensors<A> auto& y) {
  return operations::dot(x, y);
}

void dot(...) = delete;  // expected Differentiable tensors of one element type

}  // namespace tapestry
#pragma GCC visibility pop
