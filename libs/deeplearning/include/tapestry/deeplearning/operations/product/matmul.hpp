// Defines matmul, the product of vectors and matrices, with operands that may be transposed.
#pragma once

#include "tapestry/deeplearning/detail/matmul_derivative.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/matmul.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

using kernels::Transpose;

namespace detail {

inline auto matmulOperation(const MatmulShapes& shapes) {
  return binaryOperation<"matmul", Keep::operands>(
      [shapes](const auto& a, const auto& b) {
        return kernels::matmul(a, shapes.transposeX, b, shapes.transposeY);
      },
      [shapes](const auto& delta, const auto& a, const auto& b) {
        return matmulDerivativeLeft(delta, a, b, shapes);
      },
      [shapes](const auto& delta, const auto& a, const auto& b) {
        return matmulDerivativeRight(delta, a, b, shapes);
      },
      shapes);
}

}  // namespace detail

/// z = op(x) · op(y) as NumPy's matmul, for vectors, matrices and stacks of matrices, where op transposes the
/// last two axes if asked to; a vector is its own transpose. dz/dx = delta · op(y)ᵀ, dz/dy = op(x)ᵀ · delta,
/// transposed back. No transposed operand is copied. ShapeError for shapes that do not fit, at the call if
/// they are known by then.
template <class A>
auto matmul(const A& x, Transpose transposeX, const MeetingTensors<A> auto& y, Transpose transposeY) {
  return detail::matmulOperation({transposeX, transposeY})(x, y);
}

/// x · y.
template <class A>
auto matmul(const A& x, const MeetingTensors<A> auto& y) {
  return matmul(x, Transpose::no, y, Transpose::no);
}

void matmul(...) = delete;  // expected Differentiable tensors of one element type, maybe with Transpose

}  // namespace tapestry
#pragma GCC visibility pop
