#include "tapestry/deeplearning/gradients.hpp"

namespace tapestry::detail {

std::shared_ptr<const KeptGradients> keepGradients(const Pass& pass) {
  KeptGradients kept;
  for (auto* state = pass.weights(); state; state = state->nextVisited)
    if (state->hasDelta())
      kept.try_emplace(state->node, Ref<GraphNode>::share(state->node),
                       state->node->asTrainable()->gradientOf(*state));
  return std::make_shared<const KeptGradients>(std::move(kept));
}

}  // namespace tapestry::detail
