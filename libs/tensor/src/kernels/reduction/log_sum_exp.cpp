#include <tapestry/tensor/kernels/reduction.hpp>

#include <bitset>
#include <cmath>
#include <span>
#include <utility>

#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/elementwise.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

namespace {

using Chosen = std::bitset<Shape::maxRank>;

/// Returns the largest elements along the axes; they are subtracted from x, so that no exp overflows.
template <class T>
Tensor<T> largestOf(const Tensor<T>& x, const Axes& axes, const Chosen& chosen) {
  if (x.size() == 0) return Tensor<T>::zeros(reducedShape(x.shape(), chosen, true));
  return max(x, axes, true);
}

}  // namespace

template <class T>
Tensor<T> logSumExp(const Tensor<T>& x, const Axes& axes, bool keepDims) {
  const Chosen chosen = axes.resolve(x.shape(), "logSumExp");
  Tensor<T> shift = largestOf(x, axes, chosen);
  // inf must not be subtracted from itself
  for (T& value : std::span(shift.exclusiveData(), shift.size()))
    if (std::isinf(value)) value = 0;
  Tensor<T> sums = sum(exp(subtract(x, shift)), axes, true);
  const Tensor<T> result = add(log(std::move(sums)), shift);
  return keepDims ? result : result.reshape(reducedShape(x.shape(), chosen, false));
}

template <class T>
Tensor<T> softmax(const Tensor<T>& x, const Axes& axes) {
  const Chosen chosen = axes.resolve(x.shape(), "softmax");
  // where the largest is infinite, its difference from itself is NaN, and so are the sum and the whole row
  const Tensor<T> powers = exp(subtract(x, largestOf(x, axes, chosen)));
  return divide(powers, sum(powers, axes, true));
}

template <class T>
Tensor<T> logSoftmax(const Tensor<T>& x, const Axes& axes) {
  const Chosen chosen = axes.resolve(x.shape(), "logSoftmax");
  const Tensor<T> shifted = subtract(x, largestOf(x, axes, chosen));
  return subtract(shifted, log(sum(exp(shifted), axes, true)));
}

#define TAPESTRY_INSTANTIATE(T)                                      \
  template Tensor<T> logSumExp(const Tensor<T>&, const Axes&, bool); \
  template Tensor<T> softmax(const Tensor<T>&, const Axes&);         \
  template Tensor<T> logSoftmax(const Tensor<T>&, const Axes&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::kernels
#pragma GCC visibility pop
