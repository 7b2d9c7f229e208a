// Defines Attention and its kernels: the scores of keys, the weights computed from them, and the derivatives.
#pragma once

#include <cmath>
#include <utility>

#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/matmul.hpp>
#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/kernels/reduction.hpp>
#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

/// The keys that a query may see. If `causal`, query t sees only the keys 0 .. t.
struct Attention {
  bool causal = false;
};

// The kernels run on the calling thread only, except for the products, which kernels::matmul computes.

/// Returns the softmax of each row of scores [..., T, S]; if `causal`, row t includes only its first t + 1
/// scores, and the others become 0. A row of -inf only becomes 0.
template <class T>
Tensor<T> attentionWeights(Tensor<T> scores, const Attention& attention);

/// The delta of the scores: weights * (delta - sum of delta * weights over the row).
template <class T>
Tensor<T> attentionWeightsDerivative(Tensor<T> delta, const Tensor<T>& weights);

/// Returns the shape of attentionScores' result and throws the same errors.
Shape attentionScoresShape(const Shape& q, const Shape& k);

/// x / sqrt(D) for queries or keys of D numbers; x itself if they have none.
template <class X>
X perRootOfWidth(X x, const Shape& queries) {
  using Value = typename X::Value;
  const std::size_t width = queries[queries.rank() - 1];
  return width == 0 ? x : kernels::multiply(std::move(x), 1 / std::sqrt(static_cast<Value>(width)));
}

/// Returns q · kᵀ / sqrt(D) for queries [..., T, D] and keys [..., S, D], whose leading axes broadcast. k is
/// read in place. Throws ShapeError, naming scaledDotProductAttention and both shapes, if they do not fit.
template <class X>
auto attentionScores(const X& q, const X& k) -> decltype(kernels::matmul(q, k)) {
  static_cast<void>(attentionScoresShape(q.shape(), k.shape()));
  return kernels::perRootOfWidth(kernels::matmul(q, Transpose::no, k, Transpose::yes), q.shape());
}

/// The deltas of q and k, which have the scores' leading axes.
template <class X>
auto attentionScoresDerivativeLeft(const X& delta, const X& k) -> decltype(kernels::matmul(delta, k)) {
  return kernels::perRootOfWidth(kernels::matmul(delta, k), k.shape());
}
template <class X>
auto attentionScoresDerivativeRight(const X& delta, const X& q) -> decltype(kernels::matmul(delta, q)) {
  return kernels::perRootOfWidth(kernels::matmul(delta, Transpose::yes, q, Transpose::no), q.shape());
}

// Tensors of other libraries.

TAPESTRY_OWN_KERNEL(attentionWeights, (const X& scores, const Attention& attention), (scores, attention))
template <OwnKernels X>
auto attentionWeightsDerivative(const X& delta, const X& weights)
    -> decltype(kernels::sum(kernels::multiply(delta, weights), {-1}, true)) {
  const X shared = kernels::sum(kernels::multiply(delta, weights), {-1}, true);
  return kernels::multiply(weights, kernels::subtract(delta, shared));
}

}  // namespace tapestry::kernels
#pragma GCC visibility pop
