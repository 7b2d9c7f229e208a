#include "tapestry/deeplearning/detail/pass/watch.hpp"

#include "tapestry/deeplearning/detail/node/operands_node.hpp"
#include "tapestry/deeplearning/detail/pass/finite.hpp"

namespace tapestry::detail {

namespace {

void requireFinite(NodeState& state) {
  const std::string got = state.nonFiniteData();
  if (got.empty()) return;
  // results of other operations have been checked: only weights and literals can be the cause
  if (AnyOperation* operation = state.node->asOperation())
    for (const NodeState* operand : operation->operandStates(state))
      if (const std::string given = operand->nonFiniteData(); !given.empty())
        throw notFinite(operand->node->name(), "the value", given);
  throw notFinite(state.node->name(), "the result", got);
}

}  // namespace

Watch Watch::of(const Environment& environment) noexcept {
  if (!environment.hasSlots()) return {};
  const auto* observer = environment.find<ObserverSlot>();
  const auto* checks = environment.find<CheckFiniteSlot>();
  const auto* checksLoss = environment.find<CheckLossSlot>();
  return {observer ? *observer : nullptr, checks && *checks, checksLoss && *checksLoss};
}

void Watch::tell(PassObserver::Event event, const NodeState& state) const noexcept {
  if (observer) observer->observe(event, state.node->name(), state.node);
}

void Watch::given(const NodeState& state) const {
  if (!checksFinite) return;
  if (const std::string got = state.nonFiniteData(); !got.empty())
    throw notFinite(state.node->name(), "the value", got);
}

void Watch::computed(NodeState& state) const {
  if (checksFinite) requireFinite(state);
  tell(PassObserver::Event::forward, state);
}

}  // namespace tapestry::detail
