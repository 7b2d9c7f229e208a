// Defines matmul, the product of vectors and matrices, with operands that may be transposed.
#pragma once

#include <string_view>

#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/matmul.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

using kernels::Transpose;

namespace detail {

/// Whether each operand is transposed, and the rule for shapes that follows.
struct MatmulShapes {
  Transpose transposeX;
  Transpose transposeY;

  Shape of(std::string_view, const Shape& x, const Shape& y) const {
    return kernels::matmulShape(x, transposeX, y, transposeY);
  }
  /// The cost of forward and backward in ns; either shape may be unknown.
  float cost(const Shape* x, const Shape* y) const noexcept;
  extend::Attributes attributes() const;
  std::uint64_t multiplications(const Shape& x, const Shape& y) const;
};

/// The delta of x in z = x · y: delta · yᵀ, or its transpose.
template <class T>
TensorDelta<T> matmulDerivativeLeft(const Tensor<T>& delta, const Tensor<T>& x, const Tensor<T>& y,
                                    const MatmulShapes& shapes);
/// The delta of y in z = x · y: xᵀ · delta, or its transpose; symbolic where y is a matrix and x is not
/// transposed.
template <class T>
TensorDelta<T> matmulDerivativeRight(Tensor<T> delta, const Tensor<T>& x, const Tensor<T>& y,
                                     const MatmulShapes& shapes);

// The same of tensors that another library defines.
template <OwnKernels X>
auto matmulDerivativeLeft(const X& delta, const X& x, const X& y, const MatmulShapes& shapes)
    -> decltype(X::Kernels::matmulDerivativeLeft(delta, x, Transpose::no, y, Transpose::no)) {
  return X::Kernels::matmulDerivativeLeft(delta, x, shapes.transposeX, y, shapes.transposeY);
}
template <OwnKernels X>
auto matmulDerivativeRight(const X& delta, const X& x, const X& y, const MatmulShapes& shapes)
    -> decltype(X::Kernels::matmulDerivativeRight(delta, x, Transpose::no, y, Transpose::no)) {
  return X::Kernels::matmulDerivativeRight(delta, x, shapes.transposeX, y, shapes.transposeY);
}

}  // namespace detail

/// z = op(x) · op(y) as NumPy's matmul, for vectors, matrices and stacks of matrices, where op transposes the
/// last two axes if asked to; a vector is its own transpose. dz/dx = delta · op(y)ᵀ, dz/dy = op(x)ᵀ · delta,
/// transposed back. No transposed operand is copied. ShapeError for shapes that do not fit, at the call if
/// they are known by then.
template <class A, class B>
  requires Meeting<A, B> && detail::isTensor<DataOf<A>> && detail::isTensor<DataOf<B>>
auto matmul(const A& x, Transpose transposeX, const B& y, Transpose transposeY) {
  const detail::MatmulShapes shapes{transposeX, transposeY};
  const auto operation = binaryOperation<"matmul", Keep::operands>(
      [shapes](const auto& a, const auto& b) {
        return kernels::matmul(a, shapes.transposeX, b, shapes.transposeY);
      },
      [shapes](const auto& delta, const auto& a, const auto& b) {
        return detail::matmulDerivativeLeft(delta, a, b, shapes);
      },
      [shapes](const auto& delta, const auto& a, const auto& b) {
        return detail::matmulDerivativeRight(delta, a, b, shapes);
      },
      shapes);
  return operation(x, y);
}

/// x · y.
template <class A, class B>
  requires Meeting<A, B> && detail::isTensor<DataOf<A>> && detail::isTensor<DataOf<B>>
auto matmul(const A& x, const B& y) {
  return matmul(x, Transpose::no, y, Transpose::no);
}

void matmul(...) = delete;  // expected Differentiable tensors of one element type, maybe with Transpose

}  // namespace tapestry
#pragma GCC visibility pop
