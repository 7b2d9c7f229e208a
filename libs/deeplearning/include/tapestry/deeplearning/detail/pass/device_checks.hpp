// Defines fetchSquaredNorm and requireFiniteOnDevice, which check a tensor of a device by one fetched number.
#pragma once

#include <string_view>

#include "tapestry/deeplearning/detail/pass/finite.hpp"
#include "tapestry/deeplearning/tensor_form.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/tensor/axes.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/reduction.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Yields the sum of the squares, which the device adds up in its own precision.
template <TensorOfDevice X>
Do<double> fetchSquaredNorm(const X& x) {
  const X squared(kernels::sum(kernels::multiply(x, x), Axes::all()));
  return squared.toHost().map([](const auto& sum) { return static_cast<double>(sum.item()); });
}

/// Fails with std::range_error for a tensor that is not finite, as notFinite() describes it: only then the
/// tensor itself is fetched.
template <TensorOfDevice X>
Do<void> requireFiniteOnDevice(std::string_view name, std::string_view what, const X& x) {
  // the product with 0 is 0 for a finite element, else NaN
  const X zero(kernels::sum(kernels::scale(x, typename X::Value(0)), Axes::all()));
  return zero.toHost().flatMap([name, what, x](const auto& sum) {
    if (sum.item() == 0) return Do<void>::now();
    return x.toHost().map([name, what](const auto& host) { throw notFinite(name, what, nonFinite(host)); });
  });
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
