#include "tapestry/concurrent/detail/closable_queue.hpp"

#include <utility>

#include "tapestry/concurrent/closed.hpp"

namespace tapestry {

const char* Closed::what() const noexcept {
  return "tapestry: a channel, broadcast, supervisor or dispatcher was used after it had been closed";
}

}  // namespace tapestry

namespace tapestry::detail {

bool ClosableQueue::close(std::exception_ptr error) noexcept {
  return wakeAllIf(queue_, [&] {
    if (std::exchange(closed_, true)) return false;
    error_ = std::move(error);
    return true;
  });
}

bool ClosableQueue::isClosed() noexcept {
  const SpinGuard guard(queue_.lock);
  return closed_;
}

std::exception_ptr ClosableQueue::error() const noexcept {
  return error_ ? error_ : std::make_exception_ptr(Closed());
}

}  // namespace tapestry::detail
