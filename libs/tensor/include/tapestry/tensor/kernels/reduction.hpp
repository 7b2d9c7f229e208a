// Defines the reductions of a tensor over axes: sum, mean, max and logSumExp.
#pragma once

#include <concepts>
#include <string_view>

#include <tapestry/tensor/axes.hpp>
#include <tapestry/tensor/tensor.hpp>

namespace tapestry::kernels {

// Sums are pairwise: the rounding error grows with the logarithm of the number of terms. The sum of nothing
// is 0, its mean NaN. The result does not depend on the threads, but may differ in the last digits between
// instruction sets.

template <class T>
T sum(const Tensor<T>& x);

template <class T>
T mean(const Tensor<T>& x) {
  return sum(x) / static_cast<T>(x.size());
}

/// Without the axes summed over, or with extent 1 there if `keepDims`. Throws ShapeError for an axis that x
/// lacks.
template <class T>
Tensor<T> sum(const Tensor<T>& x, const Axes& axes, bool keepDims = false);
template <class T>
Tensor<T> mean(const Tensor<T>& x, const Axes& axes, bool keepDims = false);

/// The largest along the axes; NaN if one of them is. Throws ShapeError, naming `operation`, too, where there
/// is none.
template <class T>
Tensor<T> max(const Tensor<T>& x, const Axes& axes, bool keepDims = false,
              std::string_view operation = "max");
/// The delta of x: that of the result, shared equally among the elements that are the largest.
template <class T>
Tensor<T> maxDerivative(const Tensor<T>& delta, const Tensor<T>& x, const Axes& axes);

/// log(sum(exp(x))) along the axes, which neither overflows nor underflows; -inf of nothing.
template <class T>
Tensor<T> logSumExp(const Tensor<T>& x, const Axes& axes, bool keepDims = false);

/// e^x / sum(e^x) along the axes, and its logarithm, to some roundings however large x is.
template <class T>
Tensor<T> softmax(const Tensor<T>& x, const Axes& axes);
template <class T>
Tensor<T> logSoftmax(const Tensor<T>& x, const Axes& axes);

template <std::floating_point T>
T sum(T x) noexcept {
  return x;
}

template <std::floating_point T>
T mean(T x) noexcept {
  return x;
}

}  // namespace tapestry::kernels
