// Defines EinsumLabels, the labels of the axes in an einsum of two operands, and the product that they
// describe, of any type of tensors.
#pragma once

#include <string>
#include <string_view>

#include "tapestry/deeplearning/detail/labelled_product.hpp"
#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/tensor_delta.hpp"
#include "tapestry/tensor/kernels/own_kernels.hpp"
#include "tapestry/tensor/shape.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

struct EinsumLabels {
  std::string x;
  std::string y;
  std::string z;

  /// Throws std::invalid_argument for invalid subscripts.
  static EinsumLabels parse(std::string_view subscripts);

  /// Returns the shape of z. Throws ShapeError unless each operand has an axis for each label, and each label
  /// one extent.
  Shape of(std::string_view name, const Shape& shapeX, const Shape& shapeY) const;
  /// The cost of forward and backward in ns; either shape may be unknown.
  float cost(const Shape* shapeX, const Shape* shapeY) const noexcept;
  extend::Attributes attributes() const { return {{"subscripts", x + "," + y + "->" + z}}; }
  /// The product of the extents of all labels.
  std::uint64_t multiplications(const Shape& shapeX, const Shape& shapeY) const;
};

template <class X>
X einsumOf(const X& x, const X& y, const EinsumLabels& labels) {
  static_cast<void>(labels.of("einsum", x.shape(), y.shape()));
  return labelledProduct<X>({x, labels.x}, {y, labels.y}, labels.z).dense();
}

template <class T>
Tensor<T> einsum(const Tensor<T>& x, const Tensor<T>& y, const EinsumLabels& labels);

/// Return the deltas of x and of y: an einsum of z's delta and the other operand, which stays symbolic if it
/// is a product of two matrices in the layout that TensorDelta takes.
template <class T>
TensorDelta<T> einsumDerivativeLeft(const Tensor<T>& delta, const Tensor<T>& x, const Tensor<T>& y,
                                    const EinsumLabels& labels);
template <class T>
TensorDelta<T> einsumDerivativeRight(const Tensor<T>& delta, const Tensor<T>& x, const Tensor<T>& y,
                                     const EinsumLabels& labels);

// The same of tensors that another library defines.
template <OwnKernels X>
auto einsum(const X& x, const X& y, const EinsumLabels& labels)
    -> decltype(kernels::matmul(x, kernels::Transpose::no, y, kernels::Transpose::no)) {
  return einsumOf(x, y, labels);
}
template <OwnKernels X>
X einsumDerivativeLeft(const X& delta, const X& x, const X& y, const EinsumLabels& labels) {
  return einsumDerivative<X>({delta, labels.z}, {x, labels.x}, {y, labels.y});
}
template <OwnKernels X>
X einsumDerivativeRight(const X& delta, const X& x, const X& y, const EinsumLabels& labels) {
  return einsumDerivative<X>({delta, labels.z}, {y, labels.y}, {x, labels.x});
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
