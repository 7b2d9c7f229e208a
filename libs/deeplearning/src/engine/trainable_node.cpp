#include "tapestry/deeplearning/detail/node/trainable_node.hpp"

#include "tapestry/deeplearning/detail/pass/help_scope.hpp"
#include "tapestry/deeplearning/detail/pass/pass.hpp"
#include "tapestry/deeplearning/extend/exchange.hpp"

namespace tapestry::detail {

void TrainableNode::enterAsWeight(const Pass& pass, NodeState& state) noexcept {
  state.uncounted = pass.exchange() == nullptr;
  if (state.uncounted) state.phase = Phase::open;
}

void TrainableNode::complete(NodeState& state) noexcept {
  Pass& pass = state.pass();
  if (!pass.exchange() || pass.hasFailed() || !state.hasDelta()) return;
  const HelpScope help(pass.workers());
  pass.exchange()->complete(extend::PassGradients(pass), extend::WeightId(*state.node));
}

}  // namespace tapestry::detail
