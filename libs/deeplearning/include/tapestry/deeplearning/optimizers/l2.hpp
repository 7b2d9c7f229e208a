// Defines l2, a penalty on the squares of a weight.
#pragma once

#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/deeplearning/detail/parameters.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// gradient + factor * weight: the derivative of a loss to which factor / 2 * sum(weight^2) was added.
struct L2 {
  double factor;

  template <class V>
  struct State {};

  template <detail::Numbers V>
  V transform(V gradient, const V& weight, State<V>&) const {
    const auto scale = detail::finiteAs<detail::ElementOf<V>>("l2", "the factor", factor);
    return kernels::add(kernels::scale(weight, scale), gradient);
  }
};

/// chain(l2(1e-4), sgd(0.1)). The rule sees the penalty as a part of the gradient; see weightDecay for a
/// penalty that the rule does not see. Throws std::invalid_argument unless the factor is finite and at least
/// 0.
inline L2 l2(double factor) {
  detail::requireFactor("l2", "the factor", factor);
  return {factor};
}

}  // namespace tapestry
#pragma GCC visibility pop
