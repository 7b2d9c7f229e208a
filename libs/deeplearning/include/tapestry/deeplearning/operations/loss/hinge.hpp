// Defines hinge, the loss of a classifier into two classes by a margin.
#pragma once

#include "tapestry/deeplearning/detail/named_for.hpp"
#include "tapestry/deeplearning/numeric.hpp"
#include "tapestry/deeplearning/operations/activation/relu.hpp"
#include "tapestry/deeplearning/operations/arithmetic/multiply.hpp"
#include "tapestry/deeplearning/operations/arithmetic/subtract.hpp"
#include "tapestry/deeplearning/operations/reduction/mean.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// mean(max(0, 1 - label * score)), a double, for labels that are -1 or 1; the operands broadcast. The
/// derivative at the margin is 0.
template <class A>
auto hinge(const A& score, const DifferentiablePair<A> auto& label) {
  return mean(relu(1.0 - detail::namedFor<"hinge">(operations::multiply)(label, score)));
}

void hinge(...) = delete;  // expected Differentiable scalars or tensors of one element type

}  // namespace tapestry
#pragma GCC visibility pop
