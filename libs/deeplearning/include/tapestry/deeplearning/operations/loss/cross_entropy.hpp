// Defines crossEntropy, the loss of a classifier, from class indices or from distributions.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tapestry/deeplearning/detail/named_for.hpp"
#include "tapestry/deeplearning/numeric.hpp"
#include "tapestry/deeplearning/operations/activation/log_softmax.hpp"
#include "tapestry/deeplearning/operations/arithmetic/multiply.hpp"
#include "tapestry/deeplearning/operations/arithmetic/negate.hpp"
#include "tapestry/deeplearning/operations/loss/softmax_cross_entropy.hpp"
#include "tapestry/deeplearning/operations/reduction/mean.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// -mean(sum(target * logSoftmax(logits))), a double: the sum is over the last axis, the classes, the mean
/// over all others. Each row of `target`, which broadcasts with the logits and may be differentiable, is a
/// distribution; that it adds up to 1 is not checked. Finite for all finite logits, unless the element type
/// cannot hold a logSoftmax, which is -inf, or a sum: then it is infinite, or NaN where the target is 0.
template <class Logits>
auto crossEntropy(const Logits& logits, const MeetingTensors<Logits> auto& target) {
  constexpr auto multiply = detail::namedFor<"crossEntropy">(operations::multiply);
  return -mean(sum(multiply(target, logSoftmax(logits)), {-1}));
}

/// The same as softmaxCrossEntropy, for class indices.
auto crossEntropy(const NumericTensor auto& logits, std::vector<std::uint32_t> labels) {
  return softmaxCrossEntropy(logits, std::move(labels));
}

void crossEntropy(  // expected logits, and targets of their element type or std::vector<std::uint32_t>
    ...) = delete;

}  // namespace tapestry
#pragma GCC visibility pop
