#include "tapestry/deeplearning/detail/pass/pass.hpp"

namespace tapestry::detail {

ReadyList Pass::close() noexcept {
  const SpinGuard guard(lock_);
  closing_.store(true, std::memory_order_release);
  ReadyList ready;
  while (!pending_.empty()) {
    // a node that has got another user meanwhile becomes ready when that user leaves
    if (NodeState& state = pending_.pop(); !state.hasUsers()) ready.push(state);
  }
  return ready;
}

void Pass::addPending(NodeState& state) noexcept {
  const SpinGuard guard(lock_);
  if (!std::exchange(state.pending, true)) pending_.push(state);
}

void Pass::fail(std::exception_ptr error) noexcept {
  const SpinGuard guard(lock_);
  if (!error_) error_ = std::move(error);
  failed_.store(true, std::memory_order_release);
}

std::exception_ptr Pass::error() noexcept {
  const SpinGuard guard(lock_);
  return error_;
}

void Pass::addVisited(NodeState& state) noexcept {
  if (state.kept) state.node->retain();
  auto& list = state.node->asTrainable() ? weights_ : visited_;
  NodeState* head = list.load(std::memory_order_relaxed);
  do state.nextVisited = head;
  while (!list.compare_exchange_weak(head, &state, std::memory_order_release, std::memory_order_relaxed));
}

NodeState* Pass::findOther(GraphNode& node) noexcept {
  if (!hasOthers_.load(std::memory_order_acquire)) return nullptr;
  const SpinGuard guard(lock_);
  const auto found = others_.find(&node);
  return found == others_.end() ? nullptr : found->second.get();
}

NodeState& Pass::addOther(GraphNode& node, std::unique_ptr<NodeState> state) {
  const SpinGuard guard(lock_);
  hasOthers_.store(true, std::memory_order_release);
  return *others_.emplace(&node, std::move(state)).first->second;
}

void Pass::tellReleases(NodeState* state) const noexcept {
  for (; state; state = state->nextVisited)
    // nodes that want deltas have been flushed, and nodes that could be dropped earlier are fresh
    if (state->phase == Phase::open && !state->uncounted && !state->wantsDelta)
      watch_.tell(PassObserver::Event::release, *state);
}

void Pass::end() noexcept {
  ended_.store(true, std::memory_order_release);
  if (watched_) tellReleases(visited_);
  if (watched_) watch_.ended(*this);
  // nodes that the pass keeps alive keep the others alive
  NodeState* kept = nullptr;
  for (NodeState* list : {visited_.load(), weights_.load()})
    while (list) {
      NodeState& state = *std::exchange(list, list->nextVisited);
      if (state.kept)
        state.nextVisited = std::exchange(kept, &state);
      else
        give(state);
    }
  while (kept) {
    NodeState& state = *std::exchange(kept, kept->nextVisited);
    GraphNode* const node = state.node;
    give(state);
    node->release();
  }
  others_.clear();
}

void Pass::give(NodeState& state) noexcept {
  state.clear();
  state.error = nullptr;
  if (&state != &state.node->slot()) return;
  state.pending = false;
  // relaxed: a pass that takes the slot sees the holder first
  state.users.store(0, std::memory_order_relaxed);
  state.keepers.store(0, std::memory_order_relaxed);
  state.settled.store(0, std::memory_order_relaxed);
  state.holder.store(nullptr, std::memory_order_release);
}

}  // namespace tapestry::detail
