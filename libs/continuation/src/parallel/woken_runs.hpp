// Defines BasicWokenRuns, woken runs that threads claim one by one.
#pragma once

#include <utility>

#include "tapestry/continuation/detail/atomics.hpp"

namespace tapestry::detail {

/// States: the woken runs that no thread has claimed, linked by `nextWaiter` and `previousWaiter` of their
/// waiters, and whether a claimed run is posted to a worker that has not executed it yet. A run may end as
/// soon as it is claimed and executed, and with it what it owns; so a thread uses the runs' executor only
/// while a run that it has claimed itself has not been executed.
template <class A, class Waiter>
class BasicWokenRuns {
 public:
  enum class End : bool { first, last };

  explicit BasicWokenRuns(bool posts) noexcept : posts_(posts) {}

  /// Precondition: no other thread has a reference to this object yet.
  void add(Waiter& waiter) noexcept {
    waiter.nextWaiter = nullptr;
    waiter.previousWaiter = last_;
    (last_ ? last_->nextWaiter : first_) = &waiter;
    last_ = &waiter;
  }

  /// Returns the waiter of the first or the last run, or null, and whether there are others.
  std::pair<Waiter*, bool> claim(End end) noexcept {
    const SpinGuard guard(lock_);
    return claimLocked(end);
  }

  /// Returns the waiter of the last run, to be posted to a worker, or null: at most one run is posted at a
  /// time.
  Waiter* claimForPost() noexcept {
    if (!posts_) return nullptr;
    const SpinGuard guard(lock_);
    if (posted_) return nullptr;
    Waiter* const waiter = claimLocked(End::last).first;
    posted_ = waiter;
    return waiter;
  }
  /// Called when a worker executes the posted run; returns whether there are others.
  bool arrived() noexcept {
    const SpinGuard guard(lock_);
    posted_ = false;
    return first_;
  }

 private:
  std::pair<Waiter*, bool> claimLocked(End end) noexcept {
    if (!first_) return {nullptr, false};
    Waiter* const claimed = end == End::first ? first_ : last_;
    if (first_ == last_)
      first_ = last_ = nullptr;
    else if (end == End::first)
      first_ = first_->nextWaiter;
    else
      last_ = last_->previousWaiter;
    return {claimed, first_ != nullptr};
  }

  const bool posts_;
  typename A::Lock lock_;
  Waiter* first_ = nullptr;
  Waiter* last_ = nullptr;
  bool posted_ = false;
};

}  // namespace tapestry::detail
