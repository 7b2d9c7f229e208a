#include "tapestry/deeplearning/detail/graph_node.hpp"

#include "tapestry/deeplearning/detail/pass.hpp"

namespace tapestry::detail {

NodeState& GraphNode::stateIn(Pass& pass) {
  NodeState* found = &slot();
  if (constant()) return *found;
  const SpinGuard guard(lock_);
  if (found->pass == &pass) return *found;
  if (NodeState* other = pass.findOther(*this)) return *other;
  if (found->pass) found = &pass.addOther(*this, makeState());
  found->pass = &pass;
  found->wantsDelta = pass.accumulates() && trainable();
  enterPass(*found);
  pass.addVisited(*found);
  return *found;
}

bool GraphNode::unreachable(const NodeState& state) noexcept {
  // the reference that the pass holds until its end is no handle either
  return !state.uncounted && &state == &slot() && references() == settled.load() + 1;
}

void GraphNode::dropUnkept(NodeState& state) noexcept {
  if (unreachable(state) && state.keepers == 0) state.dropData();
}

void GraphNode::dropUnreachable(NodeState& state) noexcept {
  if (!unreachable(state)) return;
  state.clear();
  const SpinGuard guard(state.queue.lock);
  state.phase = Phase::fresh;
}

void visit(Run& run, NodeState& state, Entry entry) {
  constexpr auto open = [](const void* self, Run& r) {
    auto& fresh = *const_cast<NodeState*>(static_cast<const NodeState*>(self));
    fresh.node->open(r, fresh);
  };
  constexpr auto comeAgain = [](const void* self, Run& r) {
    auto& awaited = *const_cast<NodeState*>(static_cast<const NodeState*>(self));
    if (const Entry next = awaited.enter(); next != Entry::ready) visit(r, awaited, next);
  };
  if (entry == Entry::opener) {
    run.push({&state, open, nullptr, nullptr});
  } else {
    auto* waiter = new NodeWaiter(state);
    run.push({&state, comeAgain, nullptr, waiter});
    run.park(*waiter);
  }
}

void leaveNode(NodeState& state, ReadyList& ready) noexcept {
  if (!state.leave()) return;
  if (!state.wantsDelta) return state.node->dropUnreachable(state);
  if (state.pass->closing())
    ready.push(state);
  else
    state.pass->addPending(state);
}

}  // namespace tapestry::detail
