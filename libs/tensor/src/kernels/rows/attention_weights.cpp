#include <tapestry/tensor/kernels/attention.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "kernels/dispatch.hpp"
#include "kernels/rows/exponentials_inl.hpp"
#include "kernels/target.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

// Writes the softmax of the first `seen` of n scores, and 0 for the others, where `out` may be `scores`.
template <class T>
void weightsLoop(const T* scores, std::size_t seen, std::size_t n, T* out) {
  const T total = exps(scores, seen, shift(scores, seen), out);
  multiplyEach(out, total == 0 ? T{0} : weightOf(T{1}, total), seen, out);
  std::fill(out + seen, out + n, T{0});
}

// out = (delta - delta · weights) * weights, where `out` may be `delta`.
template <class T>
void weightsDerivativeLoop(const T* delta, const T* weights, std::size_t n, T* out) {
  const T along = pairwiseSum<T>(Products<T>{delta, weights}, 0, n);
  forEachVector<T>(n, [=](const auto& access, std::size_t i) HWY_ATTR {
    const auto distance = hn::Sub(access.load(delta + i), hn::Set(access.d, along));
    access.store(hn::Mul(distance, access.load(weights + i)), out + i);
  });
}

TAPESTRY_EXPORT_LOOP(weightsLoop)
TAPESTRY_EXPORT_LOOP(weightsDerivativeLoop)

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#pragma GCC visibility push(default)
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOP(weightsLoop)
TAPESTRY_DISPATCH_LOOP(weightsDerivativeLoop)

namespace {

struct Scores {
  explicit Scores(const Shape& shape)
      : length(shape.rank() == 0 ? 1 : shape[shape.rank() - 1]),
        rows(shape.rank() < 2 ? 1 : shape[shape.rank() - 2]),
        total(length == 0 ? 0 : shape.size() / length) {}
  std::size_t length;
  std::size_t rows;   // of each matrix
  std::size_t total;  // of all matrices
};

}  // namespace

template <class T>
Tensor<T> attentionWeights(Tensor<T> scores, const Attention& attention) {
  const Scores sizes(scores.shape());
  const T* row = scores.data();
  Tensor<T> result = targetFor(std::move(scores));
  T* out = result.exclusiveData();
  const auto loop = weightsLoop<T>();
  for (std::size_t i = 0; i < sizes.total; ++i, row += sizes.length, out += sizes.length) {
    const std::size_t seen = attention.causal ? std::min(i % sizes.rows + 1, sizes.length) : sizes.length;
    loop(row, seen, sizes.length, out);
  }
  return result;
}

template <class T>
Tensor<T> attentionWeightsDerivative(Tensor<T> delta, const Tensor<T>& weights) {
  requireSameShape("scaledDotProductAttention", delta, weights);
  const Scores sizes(weights.shape());
  const T* from = delta.data();
  const T* weight = weights.data();
  Tensor<T> result = targetFor(std::move(delta));
  T* out = result.exclusiveData();
  const auto loop = weightsDerivativeLoop<T>();
  for (std::size_t i = 0; i < sizes.total; ++i) {
    loop(from, weight, sizes.length, out);
    from += sizes.length;
    weight += sizes.length;
    out += sizes.length;
  }
  return result;
}

#define TAPESTRY_INSTANTIATE(T)                                     \
  template Tensor<T> attentionWeights(Tensor<T>, const Attention&); \
  template Tensor<T> attentionWeightsDerivative(Tensor<T>, const Tensor<T>&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::kernels
#pragma GCC visibility pop
#endif
