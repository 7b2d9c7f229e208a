// Defines scaledDotProductAttention, the mean of values, weighted by the match of their keys with a query.
#pragma once

#include <string_view>

#include "tapestry/deeplearning/detail/named_for.hpp"
#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/deeplearning/operations/arithmetic/add.hpp"
#include "tapestry/deeplearning/operations/product/matmul.hpp"
#include "tapestry/tensor/kernels/attention.hpp"
#include "tapestry/tensor/kernels/broadcast.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

struct AttentionScoresShapes {
  static Shape of(std::string_view, const Shape& q, const Shape& k) {
    return kernels::attentionScoresShape(q, k);
  }
  /// The cost of forward and backward in ns; either shape may be unknown.
  static float cost(const Shape* q, const Shape* k) noexcept {
    return MatmulShapes{Transpose::no, Transpose::yes}.cost(q, k);
  }
  static extend::Attributes attributes() { return {{"part", std::string("scores")}}; }
  static std::uint64_t multiplications(const Shape& q, const Shape& k) {
    return kernels::attentionScoresShape(q, k).size() * q[q.rank() - 1];
  }
};

/// The attributes of the step from the scores to the weights.
struct AttentionWeightsShapes : Elementwise {
  kernels::Attention attention;
  extend::Attributes attributes() const {
    return {{"part", std::string("weights")}, {"causal", attention.causal}};
  }
};

/// z = q · kᵀ / sqrt(D); dq = delta · k / sqrt(D), dk = deltaᵀ · q / sqrt(D).
inline constexpr auto attentionScores =
    binaryOperation<"scaledDotProductAttention", Keep::operands, AttentionScoresShapes>(
        [](const auto& q, const auto& k) { return kernels::attentionScores(q, k); },
        [](const auto& delta, const auto&, const auto& k) {
          return kernels::attentionScoresDerivativeLeft(delta, k);
        },
        [](const auto& delta, const auto& q, const auto&) {
          return kernels::attentionScoresDerivativeRight(delta, q);
        });

/// Returns the values, weighted by the softmax of the scores.
template <class S, class V>
auto attend(const S& scores, const V& v, const kernels::Attention& attention) {
  const auto weigh = unaryOperation<"scaledDotProductAttention", Keep::output>(
      [=](const auto& value) { return kernels::attentionWeights(value, attention); },
      [](auto delta, const auto& weights) {
        return kernels::attentionWeightsDerivative(std::move(delta), weights);
      },
      AttentionWeightsShapes{{}, attention});
  constexpr MatmulShapes untransposed{Transpose::no, Transpose::no};
  return namedFor<"scaledDotProductAttention">(matmulOperation(untransposed))(weigh(scores), v);
}

}  // namespace detail

/// softmax(q · kᵀ / sqrt(D)) · v for queries q [..., T, D], keys k [..., S, D] and values v [..., S, E], of
/// shape [..., T, E]. Leading axes broadcast. ShapeError for shapes that do not fit. Vaswani et al.,
/// "Attention Is All You Need" (2017), equation 1.
template <class Q, class K, class V>
  requires MeetingTensors<Q, K, V>
auto scaledDotProductAttention(const Q& q, const K& k, const V& v, const kernels::Attention& attention = {}) {
  return detail::attend(detail::attentionScores(q, k), v, attention);
}

/// The same with a mask that is added to q · kᵀ / sqrt(D), and broadcasts with it: -inf where a query may not
/// see a key, else 0, or a learnt bias. A query that sees no key at all gives 0.
template <class Q, class K, class V, class M>
  requires MeetingTensors<Q, K, V> && Meeting<Q, M>
auto scaledDotProductAttention(const Q& q, const K& k, const V& v, const M& mask,
                               const kernels::Attention& attention = {}) {
  constexpr auto add = detail::namedFor<"scaledDotProductAttention">(operations::add);
  return detail::attend(add(detail::attentionScores(q, k), mask), v, attention);
}

void scaledDotProductAttention(...) = delete;  // expected Differentiable tensors of one type, maybe a mask

}  // namespace tapestry
#pragma GCC visibility pop
