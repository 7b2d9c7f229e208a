#include <tapestry/tensor/kernels/attention.hpp>

#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/matmul.hpp>
#include <tapestry/tensor/shape_error.hpp>

#include "kernels/layout/broadcasts.hpp"

#pragma GCC visibility push(default)
namespace tapestry::kernels {

namespace {

// Divides products of vectors of length D, the operand's last extent, by sqrt(D), since their
// standard deviation grows in proportion to it.
template <class T>
Tensor<T> scaled(Tensor<T> products, const Tensor<T>& operand) {
  const std::size_t extent = operand.shape()[operand.rank() - 1];
  return extent == 0 ? products : multiply(std::move(products), 1 / std::sqrt(static_cast<T>(extent)));
}

}  // namespace

Shape attentionScoresShape(const Shape& q, const Shape& k) {
  const auto misfit = [&](std::string_view problem, std::string_view expected) {
    return ShapeError("scaledDotProductAttention", problem, toString(q) + " and " + toString(k), expected);
  };
  if (q.rank() < 2 || k.rank() < 2)
    throw misfit("queries and keys are not matrices", "[..., T, D] and [..., S, D]");
  if (q[q.rank() - 1] != k[k.rank() - 1])
    throw misfit("queries and keys differ in width", "[..., T, D] and [..., S, D]");
  const auto leading = [](const Shape& shape) { return Shape(std::span(shape.begin(), shape.rank() - 2)); };
  if (!broadcasts(leading(q), leading(k)))
    throw misfit("leading axes do not broadcast", "extents that are equal or 1 before the last two axes");
  const Shape stack = broadcast(leading(q), leading(k), "scaledDotProductAttention");
  std::vector<std::size_t> extents(stack.begin(), stack.end());
  extents.insert(extents.end(), {q[q.rank() - 2], k[k.rank() - 2]});
  return Shape(extents);
}

template <class T>
Tensor<T> attentionScores(const Tensor<T>& q, const Tensor<T>& k) {
  attentionScoresShape(q.shape(), k.shape());
  return scaled(matmul(q, Transpose::no, k, Transpose::yes), q);
}

template <class T>
Tensor<T> attentionScoresDerivativeLeft(const Tensor<T>& delta, const Tensor<T>& k) {
  return scaled(matmul(delta, Transpose::no, k, Transpose::no), k);
}

template <class T>
Tensor<T> attentionScoresDerivativeRight(const Tensor<T>& delta, const Tensor<T>& q) {
  return scaled(matmul(delta, Transpose::yes, q, Transpose::no), q);
}

#define TAPESTRY_INSTANTIATE(T)                                                         \
  template Tensor<T> attentionScores(const Tensor<T>&, const Tensor<T>&);               \
  template Tensor<T> attentionScoresDerivativeLeft(const Tensor<T>&, const Tensor<T>&); \
  template Tensor<T> attentionScoresDerivativeRight(const Tensor<T>&, const Tensor<T>&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::kernels
#pragma GCC visibility pop
