// Defines TensorDelta, the derivative of a loss with respect to a tensor.
#pragma once

#include <utility>
#include <vector>

#include "tapestry/tensor/tensor.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// A sum of dense tensors and of products leftᵀ · right, [K, M] and [K, N], of shape [M, N]. The products,
/// which matrix multiplication gives for its weights, stay symbolic: adding two deltas only collects them,
/// and `dense` computes all products of one shape in a single matrix multiplication.
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

  /// Returns the sum as one tensor, in place if this is the only handle to it. Cost: one matrix
  /// multiplication over all products. Precondition: !empty().
  Tensor<T> dense() &&;
  Tensor<T> dense() const& { return TensorDelta(*this).dense(); }

  /// Returns x + factor * the sum, in place if x is unique: one matrix multiplication with x as the
  /// accumulator. Throws ShapeError for another shape. Precondition: !empty().
  Tensor<T> addTo(Tensor<T> x, T factor) &&;

  /// Returns whether all elements of the sum are finite. Cost: reads the factors; computes the products only
  /// if the factors are so large that the sum may overflow.
  bool isFinite() const;

  /// The number of products of elements that each element sums up.
  std::size_t depth() const noexcept;

  /// Combines all products into one, to be added to a tensor of that shape, and returns true, if the sum
  /// consists of products only and has that shape; else returns false and does nothing. Throws the errors of
  /// kernels::requireProduct.
  bool becomeProductOnto(const Shape& x);
  /// to = x + factor * the sum, where `to` may be x; cannot fail. Preconditions: becomeProductOnto returned
  /// true, both have that shape, and `to` is unique.
  void addOnto(const Tensor<T>& x, T factor, Tensor<T>& to) const noexcept;

 private:
  struct Product {
    Tensor<T> left;
    Tensor<T> right;
  };

  /// Returns an upper bound of the absolute values of the sum's elements; NaN or inf if it is not known.
  double bound() const;

  /// Returns one product that is the sum of all products. Precondition: there is at least one.
  Product onlyProduct() &&;
  void addProducts(TensorDelta&& other);

  Tensor<T> dense_;
  Product product_;  ///< inline, since most deltas have at most one product
  bool hasDense_ = false;
  bool hasProduct_ = false;
  std::vector<Product> further_;
};

extern template class TensorDelta<float>;
extern template class TensorDelta<double>;

}  // namespace tapestry
#pragma GCC visibility pop
