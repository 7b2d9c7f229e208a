#include "tapestry/deeplearning/gradients.hpp"

#include <memory>
#include <unordered_map>
#include <vector>

namespace tapestry::detail {

class KeptGradients {
 public:
  explicit KeptGradients(const Pass& pass) {
    for (auto* state = pass.weights(); state; state = state->nextVisited)
      if (state->hasDelta()) {
        gradients_.emplace(state->node, state->node->asTrainable()->gradientOf(*state));
        nodes_.push_back(Ref<GraphNode>::share(state->node));
      }
  }

  const void* find(const GraphNode& weight) const noexcept {
    const auto found = gradients_.find(&weight);
    return found == gradients_.end() ? nullptr : found->second.get();
  }

 private:
  std::unordered_map<const GraphNode*, std::shared_ptr<const void>> gradients_;
  std::vector<Ref<GraphNode>> nodes_;  ///< kept alive so that no other node gets their addresses
};

std::shared_ptr<const KeptGradients> keepGradients(const Pass& pass) {
  return std::make_shared<const KeptGradients>(pass);
}

const void* find(const KeptGradients& gradients, const GraphNode& weight) noexcept {
  return gradients.find(weight);
}

}  // namespace tapestry::detail
