// Defines clipByValue, which bounds each element of a gradient.
#pragma once

#include <utility>

#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/deeplearning/detail/parameters.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The nearest value between -limit and limit; NaN stays NaN.
struct ClipByValue {
  double limit;

  template <class V>
  struct State {};

  template <detail::Numbers V>
  V transform(V gradient, const V&, State<V>&) const {
    const auto most = static_cast<detail::ElementOf<V>>(limit);
    return kernels::minimum(kernels::maximum(std::move(gradient), -most), most);
  }
};

/// chain(clipByValue(1), sgd(0.1)). clipByGlobalNorm keeps the gradient's direction. Throws
/// std::invalid_argument unless the limit is more than 0.
inline ClipByValue clipByValue(double limit) {
  detail::requirePositive("clipByValue", "the limit", limit);
  return {limit};
}

}  // namespace tapestry
#pragma GCC visibility pop
