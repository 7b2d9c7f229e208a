#include "tapestry/deeplearning/detail/node_state.hpp"

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
      ++users;
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
  WaitQueue::Waiter* waiters = nullptr;
  {
    const SpinGuard guard(queue.lock);
    phase = result;
    waiters = queue.popAll();
    if (result == Phase::open) users = 1;
  }
  wakeAll(waiters);
}

bool NodeState::leave() noexcept {
  if (uncounted) return false;
  const SpinGuard guard(queue.lock);
  return phase == Phase::open && --users == 0;
}

bool NodeState::hasUsers() noexcept {
  const SpinGuard guard(queue.lock);
  return users != 0;
}

}  // namespace tapestry::detail
