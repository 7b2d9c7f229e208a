#include "tapestry/deeplearning/detail/graph_node.hpp"

#include <thread>
#include <utility>

#include "tapestry/deeplearning/detail/pass.hpp"

namespace tapestry::detail {

NodeState& GraphNode::stateIn(Pass& pass) {
  NodeState* found = &slot();
  if (constant()) return *found;
  // the parts of a pass read what it has read
  if (Pass* whole = pass.whole(); whole && asTrainable()) stateIn(*whole);
  bool first = false;
  while (!(found = tryStateIn(pass, first))) std::this_thread::yield();
  if (first && pass.watch() && found->uncounted) pass.watch()->tell(PassObserver::Event::read, *found);
  return *found;
}

NodeState* GraphNode::tryStateIn(Pass& pass, bool& first) {
  const SpinGuard guard(lock_);
  NodeState* found = &slot();
  if (found->pass == &pass) return found;
  if (NodeState* other = pass.findOther(*this)) return other;
  auto other = found->pass ? makeState() : nullptr;
  if (other) found = other.get();
  found->pass = &pass;
  found->wantsDelta = pass.accumulates() && trainable();
  if (!enterPass(*found)) {
    if (!other) found->pass = nullptr;
    return nullptr;
  }
  if (other) pass.addOther(*this, std::move(other));
  pass.addVisited(*found);
  first = true;
  return found;
}

NodeState* GraphNode::stateInWhole(const NodeState& state) noexcept {
  Pass* const whole = state.pass->whole();
  if (!whole) return nullptr;
  return slot().pass == whole ? &slot() : whole->findOther(*this);
}

bool GraphNode::unreachable(const NodeState& state, std::uint64_t settled) noexcept {
  // `settled` was read before the references, among which are those that it counts; so when they are equal,
  // there is no other, and none can come. The reference that the pass holds until its end is no handle
  // either.
  return &state == &slot() && references() == settled + 1;
}

void GraphNode::settle(NodeState& state) noexcept {
  // of several threads, only the one that counts last finds it unreachable
  const std::uint64_t settled = ++state.settled;
  if (unreachable(state, settled) && state.keepers == 0) state.dropData();
}

void GraphNode::dropUnreachable(NodeState& state) noexcept {
  {
    const SpinGuard guard(state.queue.lock);
    if (state.phase != Phase::open || state.users != 0 || !unreachable(state, state.settled)) return;
    state.phase = Phase::fresh;
  }
  if (const Watch* watch = state.pass->watch()) watch->tell(PassObserver::Event::release, state);
  state.clear();
}

void visit(Run& run, NodeState& state, Entry entry) {
  constexpr auto open = [](const void* self, Run& r) {
    auto& fresh = *const_cast<NodeState*>(static_cast<const NodeState*>(self));
    fresh.node->open(r, fresh);
  };
  constexpr auto comeAgain = [](const void* self, Run& r) {
    auto& waiter = *const_cast<NodeWaiter*>(static_cast<const NodeWaiter*>(self));
    waiter.leave();  // nobody ends the wait early: a forward is masked
    NodeState& awaited = waiter.state();
    if (const Entry next = awaited.enter(); next != Entry::ready) visit(r, awaited, next);
  };
  constexpr auto refused = [](const void* self, Run&) {
    const_cast<NodeWaiter*>(static_cast<const NodeWaiter*>(self))->leave();
  };
  if (entry == Entry::opener) {
    run.push({&state, open, nullptr, nullptr});
  } else {
    auto* waiter = new NodeWaiter(state);
    run.push({waiter, comeAgain, refused, waiter});
    run.park(*waiter, {"a node of the network"});
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
