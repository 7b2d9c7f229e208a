// Defines l1, a penalty on the absolute values of a weight.
#pragma once

#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/deeplearning/detail/parameters.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// gradient + factor * sign(weight): the derivative of a loss to which factor * sum(abs(weight)) was added,
/// with 0 at 0.
struct L1 {
  double factor;

  template <class V>
  struct State {};

  template <detail::Numbers V>
  V transform(V gradient, const V& weight, State<V>&) const {
    const auto scale = detail::finiteAs<detail::ElementOf<V>>("l1", "the factor", factor);
    return kernels::add(kernels::scale(kernels::sign(weight), scale), gradient);
  }
};

/// chain(l1(1e-4), sgd(0.1)). A weight near 0 steps across it rather than onto it. Throws
/// std::invalid_argument unless the factor is finite and at least 0.
inline L1 l1(double factor) {
  detail::requireFactor("l1", "the factor", factor);
  return {factor};
}

}  // namespace tapestry
#pragma GCC visibility pop
