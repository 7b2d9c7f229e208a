// Defines WaitQueue and Waiter, with which runs wait in a queue for other runs, and leave the queue when
// cancelled, and OpenOnce, a state that the first run opens while other runs wait until it is open.
#pragma once

#include <cstdint>

#include "tapestry/continuation/detail/engine/run.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

template <class A, class R>
class BasicWaiter;

/// Wakes all waiters, linked by `nextWaiter`, each on its executor, never inside a step of another run.
/// Precondition: the waiters were popped.
template <class A, class R>
void wakeAll(BasicWaiter<A, R>* first) noexcept {
  while (first) std::exchange(first, first->nextWaiter)->wake();
}
/// As above. A single worker with nothing else to do may have begun all the runs. So several runs of the
/// workers are distributed among the workers and the calling thread, if it is a worker or helps them.
void wakeAll(BasicWaiter<Atomics, Run>* first) noexcept;

/// A first-in, first-out queue. The owner may guard its own state with `lock`, too.
template <class A, class R>
class BasicWaitQueue {
 public:
  using Waiter = BasicWaiter<A, R>;

  /// Returns the first waiter, which stays in the queue, or null. Precondition: locked.
  Waiter* first() const noexcept { return head_; }
  /// Removes and returns the first waiter, or null. Precondition: locked. The caller wakes the waiter after
  /// it has unlocked.
  Waiter* pop() noexcept {
    Waiter* first = head_;
    if (first) remove(*first), first->nextWaiter = nullptr;
    return first;
  }
  /// Removes and returns the first waiters for which admits(waiter), which may count them, is true, linked by
  /// `nextWaiter`. Precondition: locked. The caller wakes them by wakeAll after it has unlocked.
  template <class F>
  Waiter* popWhile(const F& admits) noexcept {
    Waiter* popped = nullptr;
    for (Waiter** end = &popped; head_ && admits(*head_); end = &(*end)->nextWaiter) *end = pop();
    return popped;
  }
  /// Removes a waiter. Precondition: locked, and the waiter is in the queue. The caller wakes it after it has
  /// unlocked.
  void take(Waiter& waiter) noexcept { remove(waiter), waiter.nextWaiter = nullptr; }
  /// Removes and returns all waiters, linked by `nextWaiter`. Precondition: locked. The caller wakes them by
  /// wakeAll after it has unlocked.
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
    waiter.previousWaiter = tail_;
    (tail_ ? tail_->nextWaiter : head_) = &waiter;
    tail_ = &waiter;
  }
  void remove(Waiter& waiter) noexcept {
    waiter.queued_ = false;
    (waiter.previousWaiter ? waiter.previousWaiter->nextWaiter : head_) = waiter.nextWaiter;
    (waiter.nextWaiter ? waiter.nextWaiter->previousWaiter : tail_) = waiter.previousWaiter;
  }

  Waiter* head_ = nullptr;
  Waiter* tail_ = nullptr;

 public:
  typename A::Lock lock;  ///< last, so that the owner's next members can use its padding
};

/// Calls change() under the queue's lock, and wakes all waiters if it returns true. Returns what it returned.
template <class A, class R, class F>
bool wakeAllIf(BasicWaitQueue<A, R>& queue, const F& change) noexcept {
  BasicWaiter<A, R>* all = nullptr;
  {
    const SpinGuard guard(queue.lock);
    if (!change()) return false;
    all = queue.popAll();
  }
  wakeAll(all);
  return true;
}

/// One run's place in a queue, owned by a frame of that run. The run waits only if enter() returns false.
template <class A, class R>
class BasicWaiter : public StopListener {
 public:
  using Queue = BasicWaitQueue<A, R>;

  explicit BasicWaiter(Queue& queue) noexcept : queue_(queue) {}

  /// Returns whether the run can continue without waiting. For a caller that enters another waiter if it
  /// cannot.
  [[nodiscard]] bool enterAtOnce() noexcept {
    const SpinGuard guard(queue_.lock);
    return enter();
  }
  /// Called by the run's thread as it leaves the run; returns true if the run may continue at once.
  [[nodiscard]] bool wait(R& run) noexcept;

  /// Resumes the waiter's run, on its executor, never inside a step of another run. Precondition: the
  /// waiter was popped.
  void wake() noexcept { run_->resume(); }
  /// Precondition: the waiter was popped.
  R& run() const noexcept { return *run_; }

  /// To be called first when the run continues; returns true if a request to stop has ended the wait.
  bool leave() noexcept {
    if (run_) run_->stopState().remove(*this);
    return cancelled_;
  }

  BasicWaiter* nextWaiter = nullptr;
  BasicWaiter* previousWaiter = nullptr;

 protected:
  /// Returns whether the run can continue without waiting; called under the queue's lock.
  virtual bool enter() noexcept = 0;
  /// Called without the lock when the waiter has left the queue due to a request to stop, before its run goes
  /// on.
  virtual void left() noexcept {}

 private:
  friend Queue;
  void onStop() noexcept final;

  Queue& queue_;
  R* run_ = nullptr;  ///< null if the run did not have to wait
  bool queued_ = false;
  bool stopSeen_ = false;   ///< the request may come before the waiter is in the queue
  bool cancelled_ = false;  ///< whether the request has ended the wait
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

/// fresh    no run has entered, or the last opener gave up
/// opening  the first run, the opener, is at work; other runs wait
/// open     the opener has succeeded
/// failed   the opener has failed, for all
enum class Phase : std::uint8_t { fresh, opening, open, failed };

/// The next action of a run that enters: open the state, or wait and enter again, or continue.
enum class Entry : std::uint8_t { opener, waiting, ready };

/// A base of states that runs share, such as a memoized value or a node of a network.
template <class A, class R>
class BasicOpenOnce {
 public:
  using Queue = BasicWaitQueue<A, R>;

  /// Called by each run that enters; calls admit() under the lock if the phase is open.
  template <class F>
  Entry enter(const F& admit) noexcept {
    const SpinGuard guard(queue.lock);
    if (phase == Phase::opening) return Entry::waiting;
    if (phase == Phase::open) admit();
    if (phase != Phase::fresh) return Entry::ready;
    phase = Phase::opening;
    return Entry::opener;
  }

  /// Called by the opener: sets the phase and calls settle() under the lock, then wakes all waiters, which
  /// enter again.
  template <class F>
  void end(Phase result, const F& settle) noexcept {
    wakeAllIf(queue, [&] {
      phase = result;
      settle();
      return true;
    });
  }

  [[no_unique_address]] Queue queue;  ///< its lock guards the phase
  Phase phase = Phase::fresh;
};

using OpenOnce = BasicOpenOnce<Atomics, Run>;

/// The queue place of a waiting run. W is a waiter, State a BasicOpenOnce.
template <class W, class State>
class BasicOpenWaiter final : public W {
 public:
  explicit BasicOpenWaiter(State& state) noexcept : W(state.queue), state_(state) {}
  State& state() const noexcept { return state_; }

 private:
  bool enter() noexcept override { return state_.phase != Phase::opening; }
  State& state_;
};
template <class State>
using OpenWaiter = BasicOpenWaiter<Waiter, State>;

}  // namespace tapestry::detail
#pragma GCC visibility pop
