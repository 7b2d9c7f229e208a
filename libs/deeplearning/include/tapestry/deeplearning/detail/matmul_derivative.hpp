// Defines MatmulShapes, the form of a product of matrices, and matmulDerivativeLeft and
// matmulDerivativeRight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tapestry/deeplearning/delta.hpp"
#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/tensor/kernels/broadcast.hpp"
#include "tapestry/tensor/kernels/matmul.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Whether each operand is transposed, and the rule for shapes that follows.
struct MatmulShapes {
  kernels::Transpose transposeX;
  kernels::Transpose transposeY;

  Shape of(std::string_view, const Shape& x, const Shape& y) const {
    return kernels::matmulShape(x, transposeX, y, transposeY);
  }
  /// The cost of forward and backward in ns; either shape may be unknown.
  float cost(const Shape* x, const Shape* y) const noexcept;
  extend::Attributes attributes() const;
  std::uint64_t multiplications(const Shape& x, const Shape& y) const;
  /// Whether nothing needs to be reshaped or summed.
  bool areMatrices(const Shape& x, const Shape& y) const noexcept {
    return x.rank() == 2 && y.rank() == 2 && transposeX == kernels::Transpose::no;
  }
};

constexpr kernels::Transpose operator!(kernels::Transpose transpose) noexcept {
  return transpose == kernels::Transpose::yes ? kernels::Transpose::no : kernels::Transpose::yes;
}

/// An operand as a stack of matrices: a vector is one row on the left, one column on the right.
template <class X>
struct MatmulOperand {
  MatmulOperand(const X& x, kernels::Transpose transposed, const Shape& ofVector)
      : values(x.rank() == 1 ? x.reshape(ofVector) : x),
        transpose(x.rank() == 1 ? kernels::Transpose::no : transposed) {}
  X values;
  kernels::Transpose transpose;
};

/// z = x · y where all three are stacks of matrices.
template <class X>
struct MatmulStacks {
  MatmulStacks(const X& delta, const X& x, const X& y, const MatmulShapes& shapes)
      : left(x, shapes.transposeX, {1, x.size()}), right(y, shapes.transposeY, {y.size(), 1}) {
    std::vector<std::size_t> extents(delta.shape().begin(), delta.shape().end());
    if (y.rank() == 1) extents.push_back(1);
    if (x.rank() == 1) extents.insert(extents.end() - 1, 1);
    dz = delta.reshape(Shape(std::span<const std::size_t>(extents)));
  }
  MatmulOperand<X> left, right;
  X dz;
};

/// Returns all matrices of a stack, one below the other.
template <class X>
X matricesBelow(const X& stack) {
  const std::size_t columns = stack.shape()[stack.rank() - 1];
  std::size_t rows = 1;
  for (std::size_t axis = 0; axis + 1 < stack.rank(); ++axis) rows *= stack.shape()[axis];
  return stack.reshape({rows, columns});
}

/// leftᵀ · right for matrices, symbolic where the delta can be.
template <class X>
DeltaOf<X> transposedProduct(X left, X right) {
  if constexpr (requires { DeltaOf<X>::product(left, right); })
    return DeltaOf<X>::product(std::move(left), std::move(right));
  else
    return kernels::matmul(left, kernels::Transpose::yes, right, kernels::Transpose::no);
}

/// The delta of x in z = x · y: delta · yᵀ, or its transpose.
template <class X>
DeltaOf<X> matmulDerivativeLeft(const X& delta, const X& x, const X& y, const MatmulShapes& shapes) {
  using enum kernels::Transpose;
  if (shapes.areMatrices(x.shape(), y.shape())) return kernels::matmul(delta, no, y, !shapes.transposeY);
  const auto [left, right, dz] = MatmulStacks<X>(delta, x, y, shapes);
  const X dx = left.transpose == yes ? kernels::matmul(right.values, right.transpose, dz, yes)
                                     : kernels::matmul(dz, no, right.values, !right.transpose);
  return kernels::sumTo(dx, left.values.shape()).reshape(x.shape());
}

/// The delta of y in z = x · y: xᵀ · delta, or its transpose; a transposedProduct where y is a matrix and x
/// is not transposed.
template <class X>
DeltaOf<X> matmulDerivativeRight(X delta, const X& x, const X& y, const MatmulShapes& shapes) {
  using enum kernels::Transpose;
  if (shapes.areMatrices(x.shape(), y.shape()))
    return shapes.transposeY == yes ? transposedProduct(std::move(delta), x)
                                    : transposedProduct(x, std::move(delta));
  const auto [left, right, dz] = MatmulStacks<X>(delta, x, y, shapes);
  if (y.rank() == 2 && left.transpose == no)
    return right.transpose == yes ? transposedProduct(matricesBelow(dz), matricesBelow(left.values))
                                  : transposedProduct(matricesBelow(left.values), matricesBelow(dz));
  const X dy = right.transpose == yes ? kernels::matmul(dz, yes, left.values, left.transpose)
                                      : kernels::matmul(left.values, !left.transpose, dz, no);
  return kernels::sumTo(dy, right.values.shape()).reshape(y.shape());
}

#define TAPESTRY_INSTANTIATE(T)                                                                           \
  extern template DeltaOf<Tensor<T>> matmulDerivativeLeft(const Tensor<T>&, const Tensor<T>&,             \
                                                          const Tensor<T>&, const MatmulShapes&);         \
  extern template DeltaOf<Tensor<T>> matmulDerivativeRight(Tensor<T>, const Tensor<T>&, const Tensor<T>&, \
                                                           const MatmulShapes&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::detail
#pragma GCC visibility pop
