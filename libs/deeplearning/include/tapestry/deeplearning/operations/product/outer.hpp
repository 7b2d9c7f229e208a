// Defines outer, the matrix of all products of two vectors' elements.
#pragma once

#include <string_view>

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/matmul.hpp"
#include "tapestry/tensor/shape_error.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

struct OuterShapes {
  static Shape of(std::string_view name, const Shape& x, const Shape& y) {
    if (x.rank() != 1 || y.rank() != 1)
      throw ShapeError(name, "not two vectors", toString(x) + " and " + toString(y), "[M] and [N]");
    return {x[0], y[0]};
  }
  static std::uint64_t multiplications(const Shape& x, const Shape& y) { return x.size() * y.size(); }
};

}  // namespace detail

namespace operations {

/// z[i, j] = x[i] * y[j]; dz/dx = delta · y, dz/dy = x · delta. ShapeError unless both are vectors.
inline constexpr auto outer = binaryOperation<"outer", Keep::operands, detail::OuterShapes>(
    []<class X>(const X& x, const X& y) -> decltype(kernels::matmul(x, y)) {
      detail::OuterShapes::of("outer", x.shape(), y.shape());
      return kernels::matmul(x.reshape({x.size(), 1}), y.reshape({1, y.size()}));
    },
    [](const auto& delta, const auto&, const auto& y) { return kernels::matmul(delta, y); },
    [](const auto& delta, const auto& x, const auto&) { return kernels::matmul(x, delta); });

}  // namespace operations

template <class A>
auto outer(const A& x, const MeetingTensors<A> auto& y) {
  return operations::outer(x, y);
}

void outer(...) = delete;  // expected Differentiable tensors of one element type

}  // namespace tapestry
#pragma GCC visibility pop
