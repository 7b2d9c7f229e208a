// Defines WaitQueue and Waiter, by which runs wait in turn for what others do, and leave the queue when
// cancelled.
#pragma once

#include "tapestry/continuation/detail/engine/run.hpp"

namespace tapestry::detail {

template <class A, class R>
class BasicWaiter;

/// Wakes all waiters, linked by `nextWaiter`, each on its executor and never inside
/// this call. Precondition: they were popped.
template <class A, class R>
void wakeAll(BasicWaiter<A, R>* first) noexcept {
  while (first) std::exchange(first, first->nextWaiter)->wake();
}
/// As above. One worker may have begun them all while it had nothing else to do; so several that workers have
/// begun are shared out among these and the calling thread, if that is one or helps them.
void wakeAll(BasicWaiter<Atomics, Run>* first) noexcept;

/// First come, first served. The owner keeps its own state under `lock` as well.
template <class A, class R>
class BasicWaitQueue {
 public:
  using Waiter = BasicWaiter<A, R>;

  /// The first waiter, which stays, or null. Precondition: locked.
  Waiter* first() const noexcept { return head_; }
  /// The first waiter, taken out, or null. Precondition: locked. Afterwards, unlocked, the caller wakes it.
  Waiter* pop() noexcept {
    Waiter* first = head_;
    if (first) remove(*first), first->nextWaiter = nullptr;
    return first;
  }
  /// The first waiters, taken out, as long as admits(waiter), which may count them, is true; linked by
  /// `nextWaiter`. Precondition: locked. Afterwards, unlocked, the caller wakes them by wakeAll.
  template <class F>
  Waiter* popWhile(const F& admits) noexcept {
    Waiter* popped = nullptr;
    for (Waiter** end = &popped; head_ && admits(*head_); end = &(*end)->nextWaiter) *end = pop();
    return popped;
  }
  /// Takes a waiter out. Precondition: locked, and it is in the queue. Afterwards, unlocked, the caller wakes
  /// it.
  void take(Waiter& waiter) noexcept { remove(waiter), waiter.nextWaiter = nullptr; }
  /// All waiters, taken out, linked by `nextWaiter`. Afterwards, unlocked, the caller wakes them
  /// by wakeAll.
  Waiter* popAll() noexcept {
    Waiter* all = head_;
    for (Waiter* waiter = all; waiter; waiter = waiter->nextWaiter) waiter->queued_ = false;
    head_ = tail_ = nullptr;
    return all;
  }

 private:
  friend Waiter;

  void push(Waiter& waiter) noexcept {
    waiter.queued_ = true;
    waiter.nextWaiter = nullptr;
    waiter.previous_ = tail_;
    (tail_ ? tail_->nextWaiter : head_) = &waiter;
    tail_ = &waiter;
  }
  void remove(Waiter& waiter) noexcept {
    waiter.queued_ = false;
    (waiter.previous_ ? waiter.previous_->nextWaiter : head_) = waiter.nextWaiter;
    (waiter.nextWaiter ? waiter.nextWaiter->previous_ : tail_) = waiter.previous_;
  }

  Waiter* head_ = nullptr;
  Waiter* tail_ = nullptr;

 public:
  typename A::Lock lock;  ///< last, for what its owner puts beside it
};

/// One run's place in a queue, owned by a frame of that run. The run waits only if it has to.
template <class A, class R>
class BasicWaiter : public StopListener {
 public:
  using Queue = BasicWaitQueue<A, R>;

  explicit BasicWaiter(Queue& queue) noexcept : queue_(queue) {}

  /// Whether the run need not wait, for a caller that has another place wait if it must.
  [[nodiscard]] bool enterAtOnce() noexcept {
    const SpinGuard guard(queue_.lock);
    return enter();
  }
  /// For the run's thread, which leaves it; true if it may go on at once.
  [[nodiscard]] bool wait(R& run) noexcept;

  /// Goes on with the waiter's run, on its executor and never inside this call. Precondition: it was popped.
  void wake() noexcept { run_->resume(); }
  /// Precondition: it was popped.
  R& run() const noexcept { return *run_; }

  /// To be called first when the run goes on; true if the wait ended because the run was asked to stop.
  bool leave() noexcept {
    if (run_) run_->stopState().remove(*this);
    return cancelled_;
  }

  BasicWaiter* nextWaiter = nullptr;

 protected:
  /// Whether the run need not wait; called under the queue's lock.
  virtual bool enter() noexcept = 0;
  /// It has left the queue, since its run was asked to stop; called unlocked, before that run goes on.
  virtual void left() noexcept {}

 private:
  friend Queue;
  void onStop() noexcept final;

  Queue& queue_;
  R* run_ = nullptr;  ///< null where it did not have to wait
  BasicWaiter* previous_ = nullptr;
  bool queued_ = false;
  bool stopSeen_ = false;   ///< the request may come before the waiter is in the queue
  bool cancelled_ = false;  ///< it was the request that ended the wait
};

template <class A, class R>
bool BasicWaiter<A, R>::wait(R& run) noexcept {
  {
    const SpinGuard guard(queue_.lock);
    if (enter()) return true;
  }
  run_ = &run;
  const bool stopped = !run.stopState().add(*this);
  const SpinGuard guard(queue_.lock);
  cancelled_ = stopped || stopSeen_;
  if (cancelled_ || enter()) return true;
  queue_.push(*this);
  return false;
}

template <class A, class R>
void BasicWaiter<A, R>::onStop() noexcept {
  {
    const SpinGuard guard(queue_.lock);
    stopSeen_ = true;
    if (!queued_) return;
    queue_.remove(*this);
    cancelled_ = true;
  }
  left();
  run_->resume();
}

using WaitQueue = BasicWaitQueue<Atomics, Run>;
extern template class BasicWaiter<Atomics, Run>;

class Waiter : public BasicWaiter<Atomics, Run>, public Parker {
 public:
  using BasicWaiter::BasicWaiter;

 private:
  bool park(Run& run) noexcept final { return wait(run); }
};

}  // namespace tapestry::detail
