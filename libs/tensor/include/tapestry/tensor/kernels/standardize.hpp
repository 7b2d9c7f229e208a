// Defines Standardization and its kernels, which give elements the mean 0 and the variance 1, and their
// derivative.
#pragma once

#include <string_view>
#include <utility>

#include <tapestry/tensor/axes.hpp>
#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/elementwise.hpp>
#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/kernels/reduction.hpp>
#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

/// The axes and the number that is added to the variance.
struct Standardization {
  double epsilon = 1e-5;
  Axes axes = {-1};

  /// Throws std::invalid_argument for an epsilon that is negative or not finite.
  void requireValid(std::string_view operation) const;
};

/// y = (x - mean) / sqrt(variance + epsilon), where the variance is the mean of (x - mean)^2. Fastest along
/// the last axes. Throws ShapeError for an axis that x lacks.
template <class T>
Tensor<T> standardize(const Tensor<T>& x, const Standardization& standardization);

/// The delta of x: (delta - mean(delta) - y * mean(delta * y)) / sqrt(variance + epsilon).
template <class T>
Tensor<T> standardizeDerivative(const Tensor<T>& delta, const Tensor<T>& x,
                                const Standardization& standardization);

/// Computes standardize and standardizeDerivative from other kernels, for tensors of any library. The
/// constructor throws ShapeError for an axis that x lacks.
template <class X>
struct Standardized {
  Standardized(const X& x, const Standardization& standardization) {
    const auto& [epsilon, axes] = standardization;
    static_cast<void>(axes.resolve(x.shape(), "layerNorm"));
    distance = kernels::subtract(x, kernels::mean(x, axes, true));
    const X variance = kernels::mean(kernels::multiply(distance, distance), axes, true);
    using T = typename X::Value;
    scale = kernels::divide(T(1), kernels::sqrt(kernels::add(variance, static_cast<T>(epsilon))));
  }
  /// Returns standardize of x.
  X value() && { return kernels::multiply(std::move(distance), scale); }
  /// Returns standardizeDerivative: the delta of x for the delta of value().
  X deltaOf(const X& delta, const Axes& axes) && {
    const X y = kernels::multiply(std::move(distance), scale);
    const X share = kernels::mean(kernels::multiply(delta, y), axes, true);
    X rest = kernels::subtract(delta, kernels::mean(delta, axes, true));
    return kernels::multiply(kernels::subtract(std::move(rest), kernels::multiply(y, share)), scale);
  }

  X distance;  ///< of each element from the mean
  X scale;     ///< 1 / sqrt(variance + epsilon)
};

template <OwnKernels X>
auto standardize(const X& x, const Standardization& standardization)
    -> decltype(kernels::mean(x, standardization.axes)) {
  return Standardized<X>(x, standardization).value();
}
template <OwnKernels X>
auto standardizeDerivative(const X& delta, const X& x, const Standardization& standardization)
    -> decltype(kernels::mean(x, standardization.axes)) {
  return Standardized<X>(x, standardization).deltaOf(delta, standardization.axes);
}

}  // namespace tapestry::kernels
#pragma GCC visibility pop
