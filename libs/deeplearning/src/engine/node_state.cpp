#include "tapestry/deeplearning/detail/node/node_state.hpp"

#include "tapestry/deeplearning/detail/node/graph_node.hpp"

namespace tapestry::detail {

Entry NodeState::enter() noexcept {
  if (uncounted) return Entry::ready;
  const SpinGuard guard(queue.lock);
  switch (phase) {
    case Phase::fresh:
      phase = Phase::opening;
      return Entry::opener;
    case Phase::opening:
      return Entry::waiting;
    case Phase::open:
      addUsers(1);
      return Entry::ready;
    default:
      return Entry::ready;
  }
}

void NodeState::opened() noexcept { finish(Phase::open); }

void NodeState::failed(std::exception_ptr reason) noexcept {
  error = std::move(reason);
  finish(Phase::failed);
}

void NodeState::finish(Phase result) noexcept {
  if (isAlone()) {
    phase = result;
    if (result == Phase::open) users.store(1, std::memory_order_relaxed);
    return;
  }
  WaitQueue::Waiter* waiters = nullptr;
  {
    const SpinGuard guard(queue.lock);
    phase = result;
    waiters = queue.popAll();
    if (result == Phase::open) addUsers(1);
  }
  wakeAll(waiters);
}

bool NodeState::leave() noexcept {
  if (uncounted) return false;
  const SpinGuard guard(queue.lock);
  return phase == Phase::open && addUsers(-1U) == 0;
}

bool NodeState::hasUsers() noexcept {
  const SpinGuard guard(queue.lock);
  return users.load(std::memory_order_relaxed) != 0;
}

bool NodeState::isAlone() const noexcept { return !kept && node->references() == 1; }

std::uint32_t NodeState::addUsers(std::uint32_t number) noexcept {
  // release: the last user sees what earlier users have done
  const std::uint32_t now = users.load(std::memory_order_relaxed) + number;
  users.store(now, std::memory_order_release);
  return now;
}

}  // namespace tapestry::detail
