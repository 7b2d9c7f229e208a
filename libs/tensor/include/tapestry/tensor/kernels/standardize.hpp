// Defines Standardization and its kernels, which give elements the mean 0 and the variance 1, and their
// derivative.
#pragma once

#include <string_view>

#include <tapestry/tensor/axes.hpp>
#include <tapestry/tensor/kernels/own_kernels.hpp>
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

template <OwnKernels X>
auto standardize(const X& x, const Standardization& standardization)
    -> decltype(X::Kernels::standardize(x, standardization)) {
  return X::Kernels::standardize(x, standardization);
}
template <OwnKernels X>
auto standardizeDerivative(const X& delta, const X& x, const Standardization& standardization)
    -> decltype(X::Kernels::standardizeDerivative(delta, x, standardization)) {
  return X::Kernels::standardizeDerivative(delta, x, standardization);
}

}  // namespace tapestry::kernels
#pragma GCC visibility pop
