// Defines the reductions of a tensor over axes, sum, mean, max and logSumExp, and the softmax along axes.
#pragma once

#include <concepts>
#include <string_view>
#include <utility>

#include <tapestry/tensor/axes.hpp>
#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/elementwise.hpp>
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

TAPESTRY_OWN_KERNEL(sum, (const X& x), (x, Axes::all()))
TAPESTRY_OWN_KERNEL(mean, (const X& x), (x, Axes::all()))
TAPESTRY_OWN_KERNEL(sum, (const X& x, const Axes& axes, bool keepDims = false), (x, axes, keepDims))
TAPESTRY_OWN_KERNEL(mean, (const X& x, const Axes& axes, bool keepDims = false), (x, axes, keepDims))
TAPESTRY_OWN_KERNEL(max,
                    (const X& x, const Axes& axes, bool keepDims = false, std::string_view operation = "max"),
                    (x, axes, keepDims, operation))
TAPESTRY_OWN_KERNEL(maxDerivative, (const X& delta, const X& x, const Axes& axes), (delta, x, axes))

// Tensors of any library: the following are composed of the kernels above. They throw ShapeError for an axis
// that x lacks.

/// x where it is finite, else 0, also for NaN.
template <class X>
auto finiteOrZero(const X& x) -> decltype(kernels::unless(kernels::subtract(x, x), x)) {
  return kernels::unless(kernels::subtract(x, x), x);  // the difference is 0 where x is finite, else NaN
}

/// The differences of x from its largest elements along the axes, whose exp does not overflow.
template <class X>
auto belowLargest(const X& x, const Axes& axes, std::string_view operation)
    -> decltype(kernels::subtract(x, kernels::max(x, axes, true, operation))) {
  static_cast<void>(axes.resolve(x.shape(), operation));
  return x.size() == 0 ? x : kernels::subtract(x, kernels::max(x, axes, true, operation));
}

/// Return e^x / sum(e^x) along the axes and its logarithm, accurate to a few roundings however large x is.
template <class X>
auto softmax(const X& x, const Axes& axes)
    -> decltype(kernels::divide(kernels::exp(kernels::belowLargest(x, axes, "")),
                                kernels::sum(x, axes, true))) {
  const X powers = kernels::exp(kernels::belowLargest(x, axes, "softmax"));
  return kernels::divide(powers, kernels::sum(powers, axes, true));
}
template <class X>
auto logSoftmax(const X& x, const Axes& axes)
    -> decltype(kernels::log(kernels::sum(kernels::exp(kernels::belowLargest(x, axes, "")), axes, true))) {
  const X shifted = kernels::belowLargest(x, axes, "logSoftmax");
  return kernels::subtract(shifted, kernels::log(kernels::sum(kernels::exp(shifted), axes, true)));
}

/// Returns log(sum(exp(x))) along the axes without overflow or underflow; -inf for no elements.
template <class X>
auto logSumExp(const X& x, const Axes& axes, bool keepDims = false)
    -> decltype(kernels::log(kernels::sum(kernels::exp(kernels::finiteOrZero(kernels::max(x, axes))), axes,
                                          true))) {
  const auto chosen = axes.resolve(x.shape(), "logSumExp");
  if (x.size() == 0) return kernels::log(kernels::sum(x, axes, keepDims));
  // an infinite element is not subtracted from itself
  const X shift = kernels::finiteOrZero(kernels::max(x, axes, true));
  X total = kernels::sum(kernels::exp(kernels::subtract(x, shift)), axes, true);
  const X result = kernels::add(kernels::log(std::move(total)), shift);
  return keepDims ? result : result.reshape(reducedShape(x.shape(), chosen, false));
}

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
