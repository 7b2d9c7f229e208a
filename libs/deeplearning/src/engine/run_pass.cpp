#include <exception>
#include <memory>
#include <stdexcept>
#include <utility>
#include <variant>

#include "tapestry/deeplearning/detail/gradient_form.hpp"
#include "tapestry/deeplearning/detail/node/trainable_node.hpp"
#include "tapestry/deeplearning/detail/pass/help_scope.hpp"
#include "tapestry/deeplearning/detail/pass/run_reduced.hpp"

namespace tapestry::detail {

namespace {

/// Multiplies all gradients of the pass, and the sums and numbers of observations.
void scaleAll(const extend::PassGradients& gradients, double factor) {
  for (const extend::WeightId weight : gradients.touched())
    gradients.put(weight, std::visit(
                              [factor]<class G>(G gradient) -> extend::Gradient {
                                return scaledBy(factor, std::move(gradient));
                              },
                              gradients.take(weight)));
}

}  // namespace

Do<void> handOver(Pass& part, Pass& whole) {
  return Do<void>::delay([&part, &whole] {
    const HelpScope help(part.workers());
    for (NodeState* state = part.weights(); state; state = state->nextVisited)
      if (state->hasDelta()) state->node->asTrainable()->handOver(*state, state->node->stateIn(whole));
  });
}

void checkLossShape(const Pass& pass, const Shape& loss) {
  if (loss.size() != 1 && pass.watch() && pass.watch()->checksLoss)
    throw std::invalid_argument("tapestry::train: the loss is no scalar, got a tensor " + toString(loss) +
                                ", expected one element, such as the sum or the mean");
}

Do<void> stepTogether(Pass& pass, const std::shared_ptr<extend::Exchange>& exchange,
                      std::exception_ptr failure, std::optional<ClipByGlobalNorm> clip, double share) {
  if (!exchange)  // the pass is alone
    return failure ? Do<void>::raiseError(std::move(failure)) : commitPass(pass, clip, share);
  // before the exchange, since passes elsewhere may have other shares
  const auto scale = [&pass, failed = failure != nullptr, share] {
    if (!failed && share != 1) scaleAll(extend::PassGradients(pass), share);
  };
  return Do<double>::suspend([&pass, exchange, failure = std::move(failure), scale] {
           const HelpScope help(pass.workers());
           const auto scaled = Try<void>::of(scale);
           return exchange->settle(extend::PassGradients(pass), failure ? failure : scaled.error());
         })
      .flatMap([&pass, clip](double factor) { return commitPass(pass, clip, factor); });
}

}  // namespace tapestry::detail
