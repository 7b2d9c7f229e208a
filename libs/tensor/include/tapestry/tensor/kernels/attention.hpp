// Defines Attention and its kernels: the scores of keys, the weights computed from them, and the derivatives.
#pragma once

#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

/// The keys that a query may see. If `causal`, query t sees only the keys 0 .. t.
struct Attention {
  bool causal = false;
};

// The kernels run on the calling thread only, except for the products, which kernels::matmul computes.

/// Returns q · kᵀ / sqrt(D) for queries [..., T, D] and keys [..., S, D], whose leading axes broadcast. k is
/// read in place. Throws ShapeError, naming scaledDotProductAttention and both shapes, if they do not fit.
template <class T>
Tensor<T> attentionScores(const Tensor<T>& q, const Tensor<T>& k);

/// The deltas of q and k, which have the scores' leading axes.
template <class T>
Tensor<T> attentionScoresDerivativeLeft(const Tensor<T>& delta, const Tensor<T>& k);
template <class T>
Tensor<T> attentionScoresDerivativeRight(const Tensor<T>& delta, const Tensor<T>& q);

/// Returns the softmax of each row of scores [..., T, S]; if `causal`, row t includes only its first t + 1
/// scores, and the others become 0. A row of -inf only becomes 0.
template <class T>
Tensor<T> attentionWeights(Tensor<T> scores, const Attention& attention);

/// The delta of the scores: weights * (delta - sum of delta * weights over the row).
template <class T>
Tensor<T> attentionWeightsDerivative(Tensor<T> delta, const Tensor<T>& weights);

template <OwnKernels X>
auto attentionScores(const X& q, const X& k) -> decltype(X::Kernels::attentionScores(q, k)) {
  return X::Kernels::attentionScores(q, k);
}
template <OwnKernels X>
auto attentionScoresDerivativeLeft(const X& delta, const X& k)
    -> decltype(X::Kernels::attentionScoresDerivativeLeft(delta, k)) {
  return X::Kernels::attentionScoresDerivativeLeft(delta, k);
}
template <OwnKernels X>
auto attentionScoresDerivativeRight(const X& delta, const X& q)
    -> decltype(X::Kernels::attentionScoresDerivativeRight(delta, q)) {
  return X::Kernels::attentionScoresDerivativeRight(delta, q);
}
template <OwnKernels X>
auto attentionWeights(const X& scores, const Attention& attention)
    -> decltype(X::Kernels::attentionWeights(scores, attention)) {
  return X::Kernels::attentionWeights(scores, attention);
}
template <OwnKernels X>
auto attentionWeightsDerivative(const X& delta, const X& weights)
    -> decltype(X::Kernels::attentionWeightsDerivative(delta, weights)) {
  return X::Kernels::attentionWeightsDerivative(delta, weights);
}

/// Returns the shape of attentionScores' result and throws the same errors.
Shape attentionScoresShape(const Shape& q, const Shape& k);

}  // namespace tapestry::kernels
#pragma GCC visibility pop
