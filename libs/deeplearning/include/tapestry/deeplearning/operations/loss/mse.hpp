// Defines mse, the mean squared error.
#pragma once

#include "tapestry/deeplearning/detail/named_for.hpp"
#include "tapestry/deeplearning/numeric.hpp"
#include "tapestry/deeplearning/operations/arithmetic/multiply.hpp"
#include "tapestry/deeplearning/operations/arithmetic/subtract.hpp"
#include "tapestry/deeplearning/operations/reduction/mean.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// mean((predicted - expected)^2), a double; the operands broadcast.
template <class A>
auto mse(const A& predicted, const DifferentiablePair<A> auto& expected) {
  const auto error = detail::namedFor<"mse">(operations::subtract)(predicted, expected);
  return mean(error * error);
}

void mse(...) = delete;  // expected Differentiable scalars or tensors of one element type

}  // namespace tapestry
#pragma GCC visibility pop
