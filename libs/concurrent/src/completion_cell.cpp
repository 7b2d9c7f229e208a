#include "tapestry/concurrent/detail/completion_cell.hpp"

namespace tapestry::detail {

bool CompletionCell::complete(Ref<const Node> node) noexcept {
  WaitQueue::Waiter* all = nullptr;
  {
    const SpinGuard guard(queue.lock);
    if (node_) return false;
    node_ = std::move(node);
    all = queue.popAll();
  }
  wakeAll(all);
  return true;
}

bool CompletionCell::isComplete() noexcept {
  const SpinGuard guard(queue.lock);
  return static_cast<bool>(node_);
}

}  // namespace tapestry::detail
