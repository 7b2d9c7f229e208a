// Defines WaitQueue and Waiter, by which runs wait in turn for what others do, and leave the queue when
// cancelled.
#pragma once

#include "tapestry/continuation/detail/run.hpp"
#include "tapestry/continuation/detail/spin_lock.hpp"

namespace tapestry::detail {

class Waiter;

/// First come, first served. The owner keeps its own state under `lock` as well.
class WaitQueue {
 public:
  SpinLock lock;

  /// The first waiter, which stays, or null. Precondition: locked.
  Waiter* first() const noexcept { return head_; }
  /// The first waiter, taken out, or null. Precondition: locked. Afterwards, unlocked, the caller wakes it.
  Waiter* pop() noexcept;
  /// All waiters, taken out, linked by `nextWaiter`.
  Waiter* popAll() noexcept;

 private:
  friend class Waiter;
  void push(Waiter& waiter) noexcept;
  void remove(Waiter& waiter) noexcept;

  Waiter* head_ = nullptr;
  Waiter* tail_ = nullptr;
};

/// One run's place in a queue, owned by a frame of that run. The run is parked only if it has to wait.
class Waiter : public Node, public Parker, private StopListener {
 public:
  explicit Waiter(WaitQueue& queue) noexcept : queue_(queue) {}

  /// Goes on with the waiter's run, on its executor and never inside this call. Precondition: it was popped.
  void wake() noexcept { run_->resume(); }

  /// To be called first when the run goes on; true if the wait ended because the run was asked to stop.
  bool leave() noexcept;

  Waiter* nextWaiter = nullptr;

 protected:
  /// Whether the run need not wait; called under the queue's lock.
  virtual bool enter() noexcept = 0;
  /// It has left the queue, since its run was asked to stop; called unlocked, before that run goes on.
  virtual void left() noexcept {}

 private:
  friend class WaitQueue;
  bool park(Run& run) noexcept final;
  void onStop() noexcept final;

  WaitQueue& queue_;
  Run* run_ = nullptr;
  StopState* stop_ = nullptr;
  Waiter* previous_ = nullptr;
  bool queued_ = false;
  bool stopSeen_ = false;   ///< the request may come before the waiter is in the queue
  bool cancelled_ = false;  ///< it was the request that ended the wait
};

}  // namespace tapestry::detail
