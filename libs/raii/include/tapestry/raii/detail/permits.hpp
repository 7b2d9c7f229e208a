// Defines Permits, a number of permits that runs take, and for which they wait in turn.
#pragma once

#include <cstddef>

#include "tapestry/continuation/extend/wait_queue.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

template <class W>
class BasicPermitWaiter;

/// Runs wait by waiters of type W. The first in the queue wants more permits than are free: no run overtakes
/// it.
template <class W>
class BasicPermits : public Node {
 public:
  explicit BasicPermits(std::size_t all) noexcept : total(all), available_(all) {}

  std::size_t available() noexcept {
    const SpinGuard guard(queue_.lock);
    return available_;
  }
  /// Whether a run waits; may be outdated on return.
  bool awaited() noexcept {
    const SpinGuard guard(queue_.lock);
    return queue_.first();
  }
  /// Takes the permits if they are free and no run waits; returns whether it did.
  [[nodiscard]] bool tryTake(std::size_t count) noexcept {
    const SpinGuard guard(queue_.lock);
    return takes(count);
  }
  /// Gives `count` permits back, and wakes the waiters for which there are enough now.
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

/// A run that wants permits. When it continues, it was cancelled (leave() is true), or else it has them.
template <class W>
class BasicPermitWaiter : public W {
 public:
  BasicPermitWaiter(BasicPermits<W>& from, std::size_t wanted) noexcept
      : W(from.queue_), permits(from), count(wanted) {}

  BasicPermits<W>& permits;
  const std::size_t count;

 private:
  bool enter() noexcept final { return permits.takes(count); }
  /// The waiters behind it may want fewer permits.
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
#pragma GCC visibility pop
