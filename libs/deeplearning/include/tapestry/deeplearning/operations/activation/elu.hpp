// Defines elu, the elementwise rectifier that approaches -alpha exponentially.
#pragma once

#include <utility>

#include "tapestry/deeplearning/detail/parameters.hpp"
#include "tapestry/deeplearning/detail/shape_rules.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/activation.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// y = max(x, 0) + alpha * (e^min(x, 0) - 1); dy/dx = 1 where x > 0, alpha * e^x where x < 0, and the mean of
/// 1 and alpha at 0. Throws std::invalid_argument unless alpha is finite as an element.
template <Numeric A>
auto elu(const A& x, double alpha = 1) {
  const auto own = detail::finiteAs<detail::ElementOf<DataOf<A>>>("elu", "alpha", alpha);
  return unaryOperation<"elu", Keep::operands>(
      [own](const auto& value) { return kernels::elu(value, own); },
      [own](auto delta, const auto& value) { return kernels::eluDerivative(std::move(delta), value, own); },
      detail::WithNumber{{}, "alpha", alpha})(x);
}

void elu(...) = delete;  // expected a Differentiable scalar or tensor, and maybe a number

}  // namespace tapestry
#pragma GCC visibility pop
