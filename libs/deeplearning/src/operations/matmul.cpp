#include "tapestry/deeplearning/operations/product/matmul.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "tapestry/tensor/kernels/broadcast.hpp"
#include "tapestry/tensor/kernels/product_cost.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

namespace {

Transpose operator!(Transpose transpose) noexcept {
  return transpose == Transpose::yes ? Transpose::no : Transpose::yes;
}

/// An operand as a stack of matrices: a vector is one row on the left, one column on the right.
template <class T>
struct Operand {
  Operand(const Tensor<T>& x, Transpose transposed, Shape vectorShape)
      : values(x.rank() == 1 ? x.reshape(vectorShape) : x),
        transpose(x.rank() == 1 ? Transpose::no : transposed) {}
  Tensor<T> values;
  Transpose transpose;
};

/// z = x · y where all three are stacks of matrices.
template <class T>
struct Matrices {
  Matrices(const Tensor<T>& delta, const Tensor<T>& x, const Tensor<T>& y, const MatmulShapes& shapes)
      : left(x, shapes.transposeX, {1, x.size()}), right(y, shapes.transposeY, {y.size(), 1}) {
    std::vector<std::size_t> extents(delta.shape().begin(), delta.shape().end());
    if (y.rank() == 1) extents.push_back(1);
    if (x.rank() == 1) extents.insert(extents.end() - 1, 1);
    dz = delta.reshape(Shape(std::span<const std::size_t>(extents)));
  }
  Operand<T> left;
  Operand<T> right;
  Tensor<T> dz;
};

/// Whether nothing needs to be reshaped or summed.
template <class T>
bool areMatrices(const Tensor<T>& x, const Tensor<T>& y, const MatmulShapes& shapes) {
  return x.rank() == 2 && y.rank() == 2 && shapes.transposeX == Transpose::no;
}

/// Returns all matrices of a stack, one below the other.
template <class T>
Tensor<T> below(const Tensor<T>& stack) {
  const std::size_t columns = stack.shape()[stack.rank() - 1];
  std::size_t rows = 1;
  for (std::size_t axis = 0; axis + 1 < stack.rank(); ++axis) rows *= stack.shape()[axis];
  return stack.reshape({rows, columns});
}

}  // namespace

float MatmulShapes::cost(const Shape* x, const Shape* y) const noexcept {
  std::size_t rows = 1;
  if (x && x->rank() > 1) {
    const std::size_t inner = (*x)[x->rank() - (transposeX == Transpose::yes ? 2 : 1)];
    rows = x->size() / std::max<std::size_t>(1, inner);
  }
  if (y) return 300 + kernels::ProductCost::ns * 3 * static_cast<float>(y->size() * rows);
  return 300 + (x ? kernels::ProductCost::ns * static_cast<float>(x->size()) : 0);
}

template <class T>
TensorDelta<T> matmulDerivativeLeft(const Tensor<T>& delta, const Tensor<T>& x, const Tensor<T>& y,
                                    const MatmulShapes& shapes) {
  if (areMatrices(x, y, shapes)) return kernels::matmul(delta, Transpose::no, y, !shapes.transposeY);
  const auto [left, right, dz] = Matrices<T>(delta, x, y, shapes);
  const auto dx = left.transpose == Transpose::yes
                      ? kernels::matmul(right.values, right.transpose, dz, Transpose::yes)
                      : kernels::matmul(dz, Transpose::no, right.values, !right.transpose);
  return kernels::sumTo(dx, left.values.shape()).reshape(x.shape());
}

template <class T>
TensorDelta<T> matmulDerivativeRight(Tensor<T> delta, const Tensor<T>& x, const Tensor<T>& y,
                                     const MatmulShapes& shapes) {
  if (areMatrices(x, y, shapes))
    return shapes.transposeY == Transpose::yes ? TensorDelta<T>::product(std::move(delta), x)
                                               : TensorDelta<T>::product(x, std::move(delta));
  const auto [left, right, dz] = Matrices<T>(delta, x, y, shapes);
  if (y.rank() == 2 && left.transpose == Transpose::no)
    return right.transpose == Transpose::yes ? TensorDelta<T>::product(below(dz), below(left.values))
                                             : TensorDelta<T>::product(below(left.values), below(dz));
  const auto dy = right.transpose == Transpose::yes
                      ? kernels::matmul(dz, Transpose::yes, left.values, left.transpose)
                      : kernels::matmul(left.values, !left.transpose, dz, Transpose::no);
  return kernels::sumTo(dy, right.values.shape()).reshape(y.shape());
}

#define TAPESTRY_INSTANTIATE(T)                                                                      \
  template TensorDelta<T> matmulDerivativeLeft(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, \
                                               const MatmulShapes&);                                 \
  template TensorDelta<T> matmulDerivativeRight(Tensor<T>, const Tensor<T>&, const Tensor<T>&,       \
                                                const MatmulShapes&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::detail
#pragma GCC visibility pop
