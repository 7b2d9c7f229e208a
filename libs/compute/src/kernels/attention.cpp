#include <tapestry/compute/kernels/device_attention.hpp>

#include <cmath>
#include <concepts>
#include <limits>
#include <memory>
#include <utility>

#include <tapestry/compute/device_error.hpp>
#include <tapestry/compute/kernels/device_kernels.hpp>
#include <tapestry/tensor/kernels/formula.hpp>

#include "build.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace {

using E = DeviceElementwise;
using kernels::Transpose;

/// x / sqrt(D), for queries or keys of D numbers.
template <class T>
DeviceTensor<T> perRoot(DeviceTensor<T> x, const Shape& queries) {
  const auto numbers = static_cast<double>(queries[queries.rank() - 1]);
  return E::multiply(std::move(x), static_cast<T>(1 / std::sqrt(numbers)));
}

/// The scores of the keys that a query may see, and -inf for the others.
template <class T>
DeviceTensor<T> seenByQueries(const DeviceTensor<T>& scores) {
  const std::shared_ptr<detail::DeviceState>& device = scores.expression()->device;
  if (!device)
    throw DeviceError(
        "tapestry::scaledDotProductAttention: the scores are constants, expected ones of a device");
  const std::size_t keys = scores.shape()[scores.rank() - 1], queries = scores.shape()[scores.rank() - 2];
  constexpr bool isDouble = std::same_as<T, double>;
  const DeviceTensor<T> key(detail::counter(isDouble, Shape{keys}, device)),
      query(detail::counter(isDouble, Shape{queries, 1}, device));
  const auto seen = [](auto score, auto ofQuery, auto ofKey) {
    return where(ofQuery >= ofKey, score, -std::numeric_limits<double>::infinity());
  };
  return kernels::evaluate("causal", seen, scores, query, key);
}

}  // namespace

template <class T>
DeviceTensor<T> DeviceAttention::attentionScores(const DeviceTensor<T>& q, const DeviceTensor<T>& k) {
  static_cast<void>(kernels::attentionScoresShape(q.shape(), k.shape()));
  return perRoot(DeviceProduct::matmul(q, Transpose::no, k, Transpose::yes), q.shape());
}

template <class T>
DeviceTensor<T> DeviceAttention::attentionScoresDerivativeLeft(const DeviceTensor<T>& delta,
                                                               const DeviceTensor<T>& k) {
  return perRoot(DeviceProduct::matmul(delta, k), k.shape());
}

template <class T>
DeviceTensor<T> DeviceAttention::attentionScoresDerivativeRight(const DeviceTensor<T>& delta,
                                                                const DeviceTensor<T>& q) {
  return perRoot(DeviceProduct::matmul(delta, Transpose::yes, q, Transpose::no), q.shape());
}

template <class T>
DeviceTensor<T> DeviceAttention::attentionWeights(const DeviceTensor<T>& scores,
                                                  const kernels::Attention& attention) {
  if (scores.size() == 0) return scores;
  const DeviceTensor<T> seen = attention.causal ? seenByQueries(scores) : scores;
  // a row of -inf only becomes 0
  const DeviceTensor<T> most = E::finiteOrZero(DeviceReduction::max(seen, {-1}, true));
  const DeviceTensor<T> each = E::exp(E::subtract(seen, most));
  const DeviceTensor<T> total = DeviceReduction::sum(each, {-1}, true);
  return E::where(total, E::divide(each, total));
}

template <class T>
DeviceTensor<T> DeviceAttention::attentionWeightsDerivative(const DeviceTensor<T>& delta,
                                                            const DeviceTensor<T>& weights) {
  const DeviceTensor<T> shared = DeviceReduction::sum(E::multiply(delta, weights), {-1}, true);
  return E::multiply(weights, E::subtract(delta, shared));
}

#define TAPESTRY_INSTANTIATE(T)                                                                              \
  template DeviceTensor<T> DeviceAttention::attentionScores(const DeviceTensor<T>&, const DeviceTensor<T>&); \
  template DeviceTensor<T> DeviceAttention::attentionScoresDerivativeLeft(const DeviceTensor<T>&,            \
                                                                          const DeviceTensor<T>&);           \
  template DeviceTensor<T> DeviceAttention::attentionScoresDerivativeRight(const DeviceTensor<T>&,           \
                                                                           const DeviceTensor<T>&);          \
  template DeviceTensor<T> DeviceAttention::attentionWeights(const DeviceTensor<T>&,                         \
                                                             const kernels::Attention&);                     \
  template DeviceTensor<T> DeviceAttention::attentionWeightsDerivative(const DeviceTensor<T>&,               \
                                                                       const DeviceTensor<T>&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry
#pragma GCC visibility pop
