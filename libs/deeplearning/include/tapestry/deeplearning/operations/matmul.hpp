// Defines matmul, the product of vectors and matrices.
#pragma once

#include <string_view>

#include "tapestry/deeplearning/kernels/matmul.hpp"
#include "tapestry/deeplearning/operation.hpp"

namespace tapestry {

namespace detail {

struct MatmulShapes {
  /// Throws ShapeError if the shapes do not fit.
  static Shape of(std::string_view name, const Shape& a, const Shape& b);
  /// In ns, forward and backward; either shape may be unknown.
  static float cost(const Shape* a, const Shape* b) noexcept;
};

/// The delta of x in z = x · y: delta · yᵀ.
template <class T>
TensorDelta<T> matmulDerivativeLeft(const Tensor<T>& delta, const Tensor<T>& x, const Tensor<T>& y);
/// The delta of y in z = x · y: xᵀ · delta, symbolic where y is a matrix.
template <class T>
TensorDelta<T> matmulDerivativeRight(const Tensor<T>& delta, const Tensor<T>& x, const Tensor<T>& y);

}  // namespace detail

namespace operations {

/// z = x · y as NumPy's matmul, for vectors, matrices and stacks of matrices; dz/dx = delta · yᵀ, dz/dy = xᵀ
/// · delta. Shapes that do not fit are a ShapeError, when the expression is built if they are known by then.
inline constexpr auto matmul = binaryOperation<"matmul", Keep::operands, detail::MatmulShapes>(
    [](const auto& x, const auto& y) { return kernels::matmul(x, y); },
    [](const auto& delta, const auto& x, const auto& y) { return detail::matmulDerivativeLeft(delta, x, y); },
    [](const auto& delta, const auto& x, const auto& y) {
      return detail::matmulDerivativeRight(delta, x, y);
    });

}  // namespace operations

template <class A, class B>
  requires Meeting<A, B> && detail::isTensor<DataOf<A>> && detail::isTensor<DataOf<B>>
auto matmul(const A& x, const B& y) {
  return operations::matmul(x, y);
}

}  // namespace tapestry
