// Defines the reductions of a tensor over axes, sum, mean, max and logSumExp, and the softmax along axes.
#pragma once

#include <concepts>
#include <string_view>
#include <utility>

#include <tapestry/tensor/axes.hpp>
#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

// Sums are pairwise: the rounding error grows with the logarithm of the number of terms. The sum of no
// elements is 0, their mean NaN. The result does not depend on the threads, but may differ in the last digits
// between instruction sets.

template <class T>
T sum(const Tensor<T>& x);

template <class T>
T mean(const Tensor<T>& x) {
  return sum(x) / static_cast<T>(x.size());
}

/// The result lacks the axes that are summed over, or has extent 1 there if `keepDims`. Throws ShapeError for
/// an axis that x lacks.
template <class T>
Tensor<T> sum(const Tensor<T>& x, const Axes& axes, bool keepDims = false);
template <class T>
Tensor<T> mean(const Tensor<T>& x, const Axes& axes, bool keepDims = false);

/// Returns the largest element along the axes, NaN if any is NaN. Throws ShapeError, naming `operation`, for
/// an axis that x lacks and if there are no elements to choose from.
template <class T>
Tensor<T> max(const Tensor<T>& x, const Axes& axes, bool keepDims = false,
              std::string_view operation = "max");
/// Returns the delta of x: the delta of the result, divided equally among the largest elements. Throws
/// ShapeError for an axis that x lacks, and if `delta` has another size than the result of `max`.
template <class T>
Tensor<T> maxDerivative(const Tensor<T>& delta, const Tensor<T>& x, const Axes& axes);

/// Returns log(sum(exp(x))) along the axes without overflow or underflow; -inf for no elements.
template <class T>
Tensor<T> logSumExp(const Tensor<T>& x, const Axes& axes, bool keepDims = false);

/// Return e^x / sum(e^x) along the axes and its logarithm, accurate to a few roundings however large x is.
template <class T>
Tensor<T> softmax(const Tensor<T>& x, const Axes& axes);
template <class T>
Tensor<T> logSoftmax(const Tensor<T>& x, const Axes& axes);

TAPESTRY_OWN_KERNEL(sum, (const X& x), (x))
TAPESTRY_OWN_KERNEL(mean, (const X& x), (x))
TAPESTRY_OWN_KERNEL(sum, (const X& x, const Axes& axes, bool keepDims = false), (x, axes, keepDims))
TAPESTRY_OWN_KERNEL(mean, (const X& x, const Axes& axes, bool keepDims = false), (x, axes, keepDims))
TAPESTRY_OWN_KERNEL(logSumExp, (const X& x, const Axes& axes, bool keepDims = false), (x, axes, keepDims))
TAPESTRY_OWN_KERNEL(max,
                    (const X& x, const Axes& axes, bool keepDims = false, std::string_view operation = "max"),
                    (x, axes, keepDims, operation))
TAPESTRY_OWN_KERNEL(maxDerivative, (const X& delta, const X& x, const Axes& axes), (delta, x, axes))
TAPESTRY_OWN_KERNEL(softmax, (const X& x, const Axes& axes), (x, axes))
TAPESTRY_OWN_KERNEL(logSoftmax, (const X& x, const Axes& axes), (x, axes))

template <std::floating_point T>
T sum(T x) noexcept {
  return x;
}

template <std::floating_point T>
T mean(T x) noexcept {
  return x;
}

}  // namespace tapestry::kernels
#pragma GCC visibility pop
