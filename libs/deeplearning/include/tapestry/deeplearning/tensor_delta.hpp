// Defines TensorDelta, the derivative of a loss with respect to a tensor.
#pragma once

#include <utility>
#include <vector>

#include "tapestry/tensor/tensor.hpp"

namespace tapestry {

/// A sum of dense tensors and of products leftᵀ · right, [K, M] and [K, N], of shape [M, N]. The products,
/// which matrix multiplication gives for its weights, stay symbolic: adding two deltas only gathers them, and
/// `dense` computes all of one shape in a single matrix multiplication.
template <class T>
class TensorDelta {
 public:
  /// Nothing, the neutral element of addition.
  TensorDelta() noexcept = default;
  TensorDelta(Tensor<T> dense) : dense_(std::move(dense)), hasDense_(true) {}

  /// leftᵀ · right. Throws ShapeError unless both are matrices with the same number of rows.
  static TensorDelta product(Tensor<T> left, Tensor<T> right);

  /// Throws ShapeError if the shapes differ.
  void add(TensorDelta&& other);

  bool empty() const noexcept { return !hasDense_ && !hasProduct_; }

  /// The shape; precondition: !empty().
  Shape shape() const;

  /// The sum as one tensor, in place if this is the only handle to it. Cost: one matrix multiplication over
  /// all products. Precondition: !empty().
  Tensor<T> dense() &&;
  Tensor<T> dense() const& { return TensorDelta(*this).dense(); }

  /// x + factor * the sum, in place if x is unique: one matrix multiplication, of which x is the accumulator.
  /// Throws ShapeError for another shape. Precondition: !empty().
  Tensor<T> addTo(Tensor<T> x, T factor) &&;

  /// Whether all elements of the sum are. Cost: reads the factors; computes products only if these are so
  /// large that the sum may overflow.
  bool isFinite() const;

  /// How many products of elements each element sums up.
  std::size_t depth() const noexcept;

  /// Makes one product of all, to be added to a tensor of that shape, where the sum is products alone and of
  /// that shape; else false, and nothing is done. Throws what keeps products of these extents from being
  /// computed.
  bool becomeProductOnto(const Shape& x);
  /// to = x + factor * the sum, where `to` may be x; cannot fail. Preconditions: becomeProductOnto was true,
  /// both have that shape, and `to` is unique.
  void addOnto(const Tensor<T>& x, T factor, Tensor<T>& to) const noexcept;

 private:
  struct Product {
    Tensor<T> left;
    Tensor<T> right;
  };

  /// What no element of the sum, in absolute value, exceeds; NaN or inf if it is not known.
  double bound() const;

  /// The factors of all products as those of one. Precondition: there are some.
  Product onlyProduct() &&;
  void addProducts(TensorDelta&& other);

  Tensor<T> dense_;
  Product product_;  ///< inline, since most deltas have one at most
  bool hasDense_ = false;
  bool hasProduct_ = false;
  std::vector<Product> further_;
};

extern template class TensorDelta<float>;
extern template class TensorDelta<double>;

}  // namespace tapestry
