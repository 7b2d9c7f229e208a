// Defines EinsumLabels, the labels of the axes in an einsum of two operands, and LabelledProduct, an einsum
// as a product of matrices of any type of tensors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tapestry/deeplearning/delta.hpp"
#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/tensor_delta.hpp"
#include "tapestry/tensor/axes.hpp"
#include "tapestry/tensor/kernels/broadcast.hpp"
#include "tapestry/tensor/kernels/matmul.hpp"
#include "tapestry/tensor/kernels/own_kernels.hpp"
#include "tapestry/tensor/kernels/reduction.hpp"
#include "tapestry/tensor/kernels/view.hpp"
#include "tapestry/tensor/shape.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Returns the labels for which keep(label) is true.
std::string chosen(const std::string& labels, const auto& keep) {
  std::string result;
  std::ranges::copy_if(labels, std::back_inserter(result), keep);
  return result;
}

inline auto isIn(const std::string& labels) {
  return [&labels](char label) { return labels.find(label) != std::string::npos; };
}

inline auto isInNone(const std::string& labels) {
  return [&labels](char label) { return labels.find(label) == std::string::npos; };
}

/// A tensor and the labels of its axes.
template <class X>
struct Labelled {
  X values;
  std::string labels;

  std::size_t extentOf(const std::string& group) const {
    std::size_t size = 1;
    for (const char label : group) size *= values.shape()[labels.find(label)];
    return size;
  }

  Labelled permutedTo(const std::string& order) const {
    if (labels == order) return *this;
    std::vector<std::ptrdiff_t> axes;
    for (const char label : order) axes.push_back(static_cast<std::ptrdiff_t>(labels.find(label)));
    return {kernels::read(values, kernels::View::permuted(values.shape(), axes, "einsum")), order};
  }

  /// Sums over the labels that `kept`, the labels of the other operand and of the result, lacks.
  Labelled summedTo(const std::string& kept) const {
    Labelled result = *this;
    for (const char label : chosen(labels, isInNone(kept))) {
      const std::size_t axis = result.labels.find(label);
      result.values = kernels::sum(result.values, Axes({static_cast<std::ptrdiff_t>(axis)}), false);
      result.labels.erase(axis, 1);
    }
    return result;
  }
};

/// A tensor as a stack of matrices, [rows, columns], or transposed if that avoids a copy.
template <class X>
struct LabelledStack {
  LabelledStack(const Labelled<X>& x, const std::string& batch, const std::string& rows,
                const std::string& columns) {
    const bool transposed = x.labels == batch + columns + rows && x.labels != batch + rows + columns;
    const Labelled<X> ordered = transposed ? x : x.permutedTo(batch + rows + columns);
    std::size_t first = x.extentOf(rows);
    std::size_t second = x.extentOf(columns);
    if (transposed) std::swap(first, second);
    values = ordered.values.reshape(batch.empty() ? Shape{first, second}
                                                  : Shape{x.extentOf(batch), first, second});
    transpose = transposed ? kernels::Transpose::yes : kernels::Transpose::no;
  }
  X values;
  kernels::Transpose transpose;
};

/// An einsum as a product of matrices, whose rows, columns and stack are groups of labels.
template <class X>
class LabelledProduct {
 public:
  LabelledProduct(const Labelled<X>& x, const Labelled<X>& y, const std::string& z)
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

  X dense() const {
    const Labelled<X> result{kernels::matmul(left_.values, left_.transpose, right_.values, right_.transpose)
                                 .reshape(Shape(std::span<const std::size_t>(extents_))),
                             batch_ + rows_ + columns_};
    return result.permutedTo(z_).values;
  }

  DeltaOf<X> delta() const {
    if constexpr (requires { DeltaOf<X>::product(left_.values, right_.values); }) {
      const bool isMatrix = z_ == rows_ + columns_ && rows_.size() == 1 && columns_.size() == 1;
      if (isMatrix && left_.transpose == kernels::Transpose::yes &&
          right_.transpose == kernels::Transpose::no)
        return DeltaOf<X>::product(left_.values, right_.values);
    }
    return dense();
  }

 private:
  std::string z_;
  std::string batch_;
  std::string rows_;
  std::string columns_;
  std::string inner_;
  LabelledStack<X> left_;
  LabelledStack<X> right_;
  std::vector<std::size_t> extents_;
};

/// Returns the product with x and y in the order of their labels in z, so that z needs no copy.
template <class X>
LabelledProduct<X> labelledProduct(const Labelled<X>& x, const Labelled<X>& y, const std::string& z) {
  const Labelled<X> left = x.summedTo(y.labels + z);
  const Labelled<X> right = y.summedTo(x.labels + z);
  const auto own = [&](char label) { return isInNone(x.labels)(label) || isInNone(y.labels)(label); };
  const std::string free = chosen(z, own);
  const bool swapped = !free.empty() && isInNone(x.labels)(free.front());
  return swapped ? LabelledProduct<X>(right, left, z) : LabelledProduct<X>(left, right, z);
}

/// Returns the delta of x, an einsum of z's delta and the other operand y, repeated along the labels that are
/// in neither y nor z. It stays symbolic if it is a product of two matrices in the layout that TensorDelta
/// takes.
template <class X>
DeltaOf<X> einsumDerivative(const Labelled<X>& delta, const Labelled<X>& x, const Labelled<X>& y) {
  const std::string kept = chosen(x.labels, isIn(delta.labels + y.labels));
  const LabelledProduct<X> product = labelledProduct(delta, y, kept);
  if (kept == x.labels) return product.delta();
  std::vector<std::size_t> extents(x.values.shape().begin(), x.values.shape().end());
  for (std::size_t i = 0; i < extents.size(); ++i)
    if (isInNone(kept)(x.labels[i])) extents[i] = 1;
  return kernels::broadcastTo(product.dense().reshape(Shape(std::span<const std::size_t>(extents))),
                              x.values.shape());
}

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
auto einsum(const X& x, const X& y, const EinsumLabels& labels)
    -> decltype(kernels::matmul(x, kernels::Transpose::no, y, kernels::Transpose::no)) {
  static_cast<void>(labels.of("einsum", x.shape(), y.shape()));
  return labelledProduct<X>({x, labels.x}, {y, labels.y}, labels.z).dense();
}

#define TAPESTRY_INSTANTIATE(T)                                                              \
  extern template Tensor<T> einsum(const Tensor<T>&, const Tensor<T>&, const EinsumLabels&); \
  extern template DeltaOf<Tensor<T>> einsumDerivative(                                       \
      const Labelled<Tensor<T>>&, const Labelled<Tensor<T>>&, const Labelled<Tensor<T>>&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::detail
#pragma GCC visibility pop
