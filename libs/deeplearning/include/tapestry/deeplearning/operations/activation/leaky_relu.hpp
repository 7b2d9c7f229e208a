// Defines leakyRelu, the elementwise rectifier that scales negative elements by a slope.
#pragma once

#include <utility>

#include "tapestry/deeplearning/detail/parameters.hpp"
#include "tapestry/deeplearning/detail/shape_rules.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/activation.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// y = max(x, 0) + slope * min(x, 0), where a slope of 0 gives 0 also for x = -inf; dy/dx = 1 where x > 0,
/// slope where x < 0, and their mean at 0. For a learnt slope, write the formula instead. Throws
/// std::invalid_argument unless the slope is finite as an element.
template <Numeric A>
auto leakyRelu(const A& x, double slope = 0.01) {
  const auto own = detail::finiteAs<detail::ElementOf<DataOf<A>>>("leakyRelu", "the slope", slope);
  return unaryOperation<"leakyRelu", Keep::operands>(
      [own](const auto& value) { return own == 0 ? kernels::relu(value) : kernels::leakyRelu(value, own); },
      [own](auto delta, const auto& value) {
        return kernels::leakyReluDerivative(std::move(delta), value, own);
      },
      detail::WithNumber{{}, "slope", slope})(x);
}

void leakyRelu(...) = delete;  // expected a Differentiable scalar or tensor, and maybe a slope

}  // namespace tapestry
#pragma GCC visibility pop
