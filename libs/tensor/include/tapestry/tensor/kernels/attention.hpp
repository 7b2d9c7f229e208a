// Defines Attention and its kernels: the scores of keys, the weights that they give, and the derivatives.
#pragma once

#include <tapestry/tensor/tensor.hpp>

namespace tapestry::kernels {

/// Which keys a query may see. If `causal`, query t sees the keys 0 .. t alone.
struct Attention {
  bool causal = false;
};

// On the calling thread alone, but for the products, which are those of kernels::matmul.

/// q · kᵀ / sqrt(D), of queries [..., T, D] and keys [..., S, D], whose leading axes broadcast. k is read
/// where it lies. Throws ShapeError, naming scaledDotProductAttention and both shapes, if they do not fit.
template <class T>
Tensor<T> attentionScores(const Tensor<T>& q, const Tensor<T>& k);

/// The deltas of q and k, which have the scores' leading axes.
template <class T>
Tensor<T> attentionScoresDerivativeLeft(const Tensor<T>& delta, const Tensor<T>& k);
template <class T>
Tensor<T> attentionScoresDerivativeRight(const Tensor<T>& delta, const Tensor<T>& q);

/// The softmax of each row of scores [..., T, S]; if `causal`, row t is over the first t + 1 alone, and the
/// rest is 0. A row of nothing but -inf is 0.
template <class T>
Tensor<T> attentionWeights(Tensor<T> scores, const Attention& attention);

/// The delta of the scores: weights * (delta - sum of delta * weights over the row).
template <class T>
Tensor<T> attentionWeightsDerivative(Tensor<T> delta, const Tensor<T>& weights);

/// What attentionScores gives. Throws the same.
Shape attentionScoresShape(const Shape& q, const Shape& k);

}  // namespace tapestry::kernels
