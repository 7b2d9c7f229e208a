// Defines binaryCrossEntropyWithLogits, the loss of a classifier into two classes.
#pragma once

#include "tapestry/deeplearning/detail/named_for.hpp"
#include "tapestry/deeplearning/numeric.hpp"
#include "tapestry/deeplearning/operations/activation/softplus.hpp"
#include "tapestry/deeplearning/operations/arithmetic/multiply.hpp"
#include "tapestry/deeplearning/operations/arithmetic/subtract.hpp"
#include "tapestry/deeplearning/operations/reduction/mean.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// mean(softplus(logit) - target * logit), a double, which is -target * log(p) - (1 - target) * log(1 - p)
/// for the probability p = sigmoid(logit), finite for all finite logits; the operands broadcast. Targets are
/// probabilities, which is not checked.
template <Numeric A>
auto binaryCrossEntropyWithLogits(const A& logit, const DifferentiablePair<A> auto& target) {
  constexpr auto multiply = detail::namedFor<"binaryCrossEntropyWithLogits">(operations::multiply);
  return mean(softplus(logit) - multiply(target, logit));
}

void binaryCrossEntropyWithLogits(...) = delete;  // expected Differentiable scalars or tensors of one type

}  // namespace tapestry
#pragma GCC visibility pop
