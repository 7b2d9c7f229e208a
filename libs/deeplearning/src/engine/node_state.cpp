#include "tapestry/deeplearning/detail/node/node_state.hpp"

#include "tapestry/deeplearning/detail/node/graph_node.hpp"

namespace tapestry::detail {

Entry NodeState::enter() noexcept {
  if (uncounted) return Entry::ready;
  return OpenOnce::enter([this] { addUsers(1); });
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
  end(result, [&] {
    if (result == Phase::open) addUsers(1);
  });
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
  // release: the last user sees the writes of earlier users
  const std::uint32_t now = users.load(std::memory_order_relaxed) + number;
  users.store(now, std::memory_order_release);
  return now;
}

}  // namespace tapestry::detail
