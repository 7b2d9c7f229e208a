#include "tapestry/deeplearning/operations/product/einsum.hpp"

#include <utility>
#include <vector>

#include "tapestry/tensor/kernels/broadcast.hpp"
#include "tapestry/tensor/kernels/matmul.hpp"

#include "operations/labelled.hpp"

namespace tapestry::detail {

namespace {

using kernels::Transpose;

/// A tensor as a stack of matrices, [rows, columns], or transposed if that avoids a copy.
template <class T>
struct Stack {
  Stack(const Labelled<T>& x, const std::string& batch, const std::string& rows, const std::string& columns) {
    const bool transposed = x.labels == batch + columns + rows && x.labels != batch + rows + columns;
    const Labelled<T> ordered = transposed ? x : x.permutedTo(batch + rows + columns);
    std::size_t first = x.extentOf(rows);
    std::size_t second = x.extentOf(columns);
    if (transposed) std::swap(first, second);
    values = ordered.values.reshape(batch.empty() ? Shape{first, second}
                                                  : Shape{x.extentOf(batch), first, second});
    transpose = transposed ? Transpose::yes : Transpose::no;
  }
  Tensor<T> values;
  Transpose transpose;
};

/// An einsum as a product of matrices, whose rows, columns and stack are groups of labels.
template <class T>
class Product {
 public:
  Product(const Labelled<T>& x, const Labelled<T>& y, const std::string& z)
      : z_(z),
        batch_(chosen(z, [&](char label) { return isIn(x.labels)(label) && isIn(y.labels)(label); })),
        rows_(chosen(z, isInNone(y.labels))),
        columns_(chosen(z, isInNone(x.labels))),
        inner_(chosen(x.labels, isInNone(z))),
        left_(x, batch_, rows_, inner_),
        right_(y, batch_, inner_, columns_) {
    for (const char label : batch_ + rows_ + columns_)
      extents_.push_back((isIn(x.labels)(label) ? x : y).extentOf({label}));
  }

  Tensor<T> dense() const {
    const Labelled<T> result{kernels::matmul(left_.values, left_.transpose, right_.values, right_.transpose)
                                 .reshape(Shape(std::span<const std::size_t>(extents_))),
                             batch_ + rows_ + columns_};
    return result.permutedTo(z_).values;
  }

  TensorDelta<T> delta() const {
    const bool isMatrix = z_ == rows_ + columns_ && rows_.size() == 1 && columns_.size() == 1;
    if (isMatrix && left_.transpose == Transpose::yes && right_.transpose == Transpose::no)
      return TensorDelta<T>::product(left_.values, right_.values);
    return dense();
  }

 private:
  std::string z_;
  std::string batch_;
  std::string rows_;
  std::string columns_;
  std::string inner_;
  Stack<T> left_;
  Stack<T> right_;
  std::vector<std::size_t> extents_;
};

/// Returns the product with x and y in the order of their labels in z, so that z needs no copy.
template <class T>
Product<T> productOf(const Labelled<T>& x, const Labelled<T>& y, const std::string& z) {
  const Labelled<T> left = x.summedTo(y.labels + z);
  const Labelled<T> right = y.summedTo(x.labels + z);
  const auto own = [&](char label) { return isInNone(x.labels)(label) || isInNone(y.labels)(label); };
  const std::string free = chosen(z, own);
  const bool swapped = !free.empty() && isInNone(x.labels)(free.front());
  return swapped ? Product<T>(right, left, z) : Product<T>(left, right, z);
}

/// Returns the delta of x, which was summed over its labels that are in neither y nor z.
template <class T>
TensorDelta<T> derivative(const Labelled<T>& delta, const Labelled<T>& x, const Labelled<T>& y) {
  const std::string kept = chosen(x.labels, isIn(delta.labels + y.labels));
  const Product<T> product = productOf(delta, y, kept);
  if (kept == x.labels) return product.delta();
  std::vector<std::size_t> extents(x.values.shape().begin(), x.values.shape().end());
  for (std::size_t i = 0; i < extents.size(); ++i)
    if (isInNone(kept)(x.labels[i])) extents[i] = 1;
  return kernels::broadcastTo(product.dense().reshape(Shape(std::span<const std::size_t>(extents))),
                              x.values.shape());
}

}  // namespace

template <class T>
Tensor<T> einsum(const Tensor<T>& x, const Tensor<T>& y, const EinsumLabels& labels) {
  static_cast<void>(labels.of("einsum", x.shape(), y.shape()));
  return productOf<T>({x, labels.x}, {y, labels.y}, labels.z).dense();
}

template <class T>
TensorDelta<T> einsumDerivativeLeft(const Tensor<T>& delta, const Tensor<T>& x, const Tensor<T>& y,
                                    const EinsumLabels& labels) {
  return derivative<T>({delta, labels.z}, {x, labels.x}, {y, labels.y});
}

template <class T>
TensorDelta<T> einsumDerivativeRight(const Tensor<T>& delta, const Tensor<T>& x, const Tensor<T>& y,
                                     const EinsumLabels& labels) {
  return derivative<T>({delta, labels.z}, {y, labels.y}, {x, labels.x});
}

#define TAPESTRY_INSTANTIATE(T)                                                                       \
  template Tensor<T> einsum(const Tensor<T>&, const Tensor<T>&, const EinsumLabels&);                 \
  template TensorDelta<T> einsumDerivativeLeft(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,  \
                                               const EinsumLabels&);                                  \
  template TensorDelta<T> einsumDerivativeRight(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, \
                                                const EinsumLabels&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::detail
