// Defines Permits, a number of permits that runs take, and for which they wait in turn.
#pragma once

#include <cstddef>

#include "tapestry/continuation/extend/wait_queue.hpp"

namespace tapestry::detail {

template <class W>
class BasicPermitWaiter;

/// While runs wait, each by a waiter W, the first in the queue wants more than there are: no run overtakes
/// it.
template <class W>
class BasicPermits : public Node {
 public:
  explicit BasicPermits(std::size_t all) noexcept : total(all), available_(all) {}

  std::size_t available() noexcept {
    const SpinGuard guard(queue_.lock);
    return available_;
  }
  /// Whether a run waited a moment ago.
  bool awaited() noexcept {
    const SpinGuard guard(queue_.lock);
    return queue_.first();
  }
  /// Whether the caller got so many, at once.
  [[nodiscard]] bool tryTake(std::size_t count) noexcept {
    const SpinGuard guard(queue_.lock);
    return takes(count);
  }
  /// Gives so many back, and wakes the waiters for which there are enough now.
  void give(std::size_t count) noexcept;

  const std::size_t total;

 private:
  using Queue = typename W::Queue;
  friend BasicPermitWaiter<W>;

  /// As tryTake; precondition: locked.
  bool takes(std::size_t count) noexcept {
    if (queue_.first() || count > available_) return false;
    available_ -= count;
    return true;
  }

  Queue queue_;
  std::size_t available_;
};

/// A run that comes for permits. When it goes on, it was cancelled (leave() is true), or else it has them.
template <class W>
class BasicPermitWaiter : public W {
 public:
  BasicPermitWaiter(BasicPermits<W>& from, std::size_t wanted) noexcept
      : W(from.queue_), permits(from), count(wanted) {}

  BasicPermits<W>& permits;
  const std::size_t count;

 private:
  bool enter() noexcept final { return permits.takes(count); }
  /// Those behind it may want less.
  void left() noexcept final { permits.give(0); }
};

template <class W>
void BasicPermits<W>::give(std::size_t count) noexcept {
  typename Queue::Waiter* served = nullptr;
  {
    const SpinGuard guard(queue_.lock);
    available_ += count;
    served = queue_.popWhile([this](const auto& waiter) {
      const std::size_t wanted = static_cast<const BasicPermitWaiter<W>&>(waiter).count;
      if (wanted > available_) return false;
      available_ -= wanted;
      return true;
    });
  }
  wakeAll(served);
}

using Permits = BasicPermits<Waiter>;
using PermitWaiter = BasicPermitWaiter<Waiter>;
extern template class BasicPermits<Waiter>;

}  // namespace tapestry::detail
