#include "tapestry/concurrent/detail/completion_cell.hpp"

namespace tapestry::detail {

bool CompletionCell::complete(Ref<const Node> node) noexcept {
  return wakeAllIf(queue, [&] {
    if (std::exchange(isSet_, true)) return false;
    node_ = std::move(node);
    return true;
  });
}

bool CompletionCell::reset() noexcept {
  const SpinGuard guard(queue.lock);
  return std::exchange(isSet_, false);
}

bool CompletionCell::isComplete() noexcept {
  const SpinGuard guard(queue.lock);
  return isSet_;
}

}  // namespace tapestry::detail
