#include "tapestry/continuation/detail/wait_queue.hpp"

#include <thread>

namespace tapestry::detail {

void SpinLock::pause() noexcept { std::this_thread::yield(); }

void WaitQueue::push(Waiter& waiter) noexcept {
  waiter.queued_ = true;
  waiter.nextWaiter = nullptr;
  waiter.previous_ = tail_;
  (tail_ ? tail_->nextWaiter : head_) = &waiter;
  tail_ = &waiter;
}

void WaitQueue::remove(Waiter& waiter) noexcept {
  waiter.queued_ = false;
  (waiter.previous_ ? waiter.previous_->nextWaiter : head_) = waiter.nextWaiter;
  (waiter.nextWaiter ? waiter.nextWaiter->previous_ : tail_) = waiter.previous_;
}

Waiter* WaitQueue::pop() noexcept {
  Waiter* first = head_;
  if (first) remove(*first);
  return first;
}

Waiter* WaitQueue::popAll() noexcept {
  Waiter* all = head_;
  for (Waiter* waiter = all; waiter; waiter = waiter->nextWaiter) waiter->queued_ = false;
  head_ = tail_ = nullptr;
  return all;
}

bool Waiter::park(Run& run) noexcept {
  {
    const SpinGuard guard(queue_.lock);
    if (enter()) return true;
  }
  run_ = &run;
  stop_ = &run.environment()->stop();
  const bool stopped = !stop_->add(*this);
  const SpinGuard guard(queue_.lock);
  cancelled_ = stopped || stopSeen_;
  if (cancelled_ || enter()) return true;
  queue_.push(*this);
  return false;
}

void Waiter::onStop() noexcept {
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

bool Waiter::leave() noexcept {
  if (stop_) stop_->remove(*this);
  return cancelled_;
}

}  // namespace tapestry::detail
