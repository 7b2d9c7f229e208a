// Defines Semaphore, a number of permits that runs hold for the time of a scope.
#pragma once

#include <cstddef>

#include "tapestry/continuation/extend/wait_queue.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

template <class W>
class BasicPermitWaiter;

/// A number of permits, for which runs wait by waiters of type W. The first in the queue wants more permits
/// than are free: no run overtakes it.
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

/// What runs request, and the release that gives it back, which they share: a run allocates nothing.
/// Precondition: `wanted` is not more than all permits.
struct PermitRequest {
  PermitRequest(const Ref<Permits>& from, std::size_t wanted);

  Permits* permits;  ///< kept by the release
  std::size_t count;
  UnitContinuation<Errors> release;
};

/// Yields when it has taken the permits, which it gives back at the end of the scope. `name` is shown by
/// dumpRuns for a waiting run.
Do<void> take(PermitRequest request, const char* name, Location location);
Do<void> take(const Ref<Permits>& permits, std::size_t count, Location location);
/// The same without waiting: yields whether it has taken the permits.
Do<bool> tryTake(PermitRequest request);

}  // namespace detail

/// Runs get permits in the order of arrival, regardless of the number that they request. Copies share the
/// permits. Usable from several threads at once, and by runs on any executors. A waiting run blocks no
/// thread, and continues on its own executor, never inside the release that freed its permits.
class Semaphore {
 public:
  /// Throws std::invalid_argument for 0 permits.
  explicit Semaphore(std::size_t permits);

  /// Takes `count` permits, all at once, as soon as that many are free, and gives them back at the end of the
  /// scope. A request to stop ends the wait, unless masked. Throws std::invalid_argument for 0 permits, and
  /// for more than permits().
  [[nodiscard("a program does nothing until it is run")]] Do<void> permit(
      std::size_t count = 1, detail::Location location = detail::Location::current()) const;

  /// The same without waiting: yields whether it took the permits; false while runs wait.
  [[nodiscard("a program does nothing until it is run")]] Do<bool> tryPermit(std::size_t count = 1) const;

  /// Runs the program in a separate scope, and holds `count` permits from before it begins until it and all
  /// its releases have ended.
  template <class A>
  [[nodiscard("a program does nothing until it is run")]] Do<A> withPermit(
      const Do<A>& program, std::size_t count = 1,
      detail::Location location = detail::Location::current()) const {
    return permit(count, location).flatMap([program] { return program; }).run();
  }

  /// The total number of permits.
  std::size_t permits() const noexcept { return permits_->total; }
  /// Whether runs wait for permits; may be outdated on return.
  bool awaited() const noexcept { return permits_->awaited(); }
  /// The number of free permits; may be outdated on return.
  std::size_t available() const noexcept { return permits_->available(); }

 private:
  void check(const char* operation, std::size_t count) const;

  detail::Ref<detail::Permits> permits_;
};

}  // namespace tapestry
#pragma GCC visibility pop
