#include "tapestry/deeplearning/detail/pass.hpp"

namespace tapestry::detail {

ReadyList Pass::close() noexcept {
  const SpinGuard guard(lock_);
  closing_.store(true, std::memory_order_release);
  ReadyList ready;
  while (!pending_.empty()) {
    // one that another user came to meanwhile becomes ready when that has left
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
  state.node->retain();
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
    // those that want deltas have been flushed, and those that could be dropped earlier are fresh
    if (state->phase == Phase::open && !state->uncounted && !state->wantsDelta)
      watch_.tell(PassObserver::Event::release, *state);
}

void Pass::end() noexcept {
  NodeState* const visited = visited_.exchange(nullptr);
  if (watched_) tellReleases(visited);
  endAll(visited);
  endAll(weights_.exchange(nullptr));
  others_.clear();
}

void Pass::endAll(NodeState* state) noexcept {
  while (state) {
    NodeState* next = state->nextVisited;
    GraphNode* node = state->node;
    state->clear();
    state->error = nullptr;
    if (state == &node->slot()) {
      state->phase = Phase::fresh;
      state->pending = false;
      state->users = 0;
      state->keepers = 0;
      state->settled = 0;
      const SpinGuard guard(node->lock_);
      state->pass = nullptr;
    }
    node->release();
    state = next;
  }
}

}  // namespace tapestry::detail
