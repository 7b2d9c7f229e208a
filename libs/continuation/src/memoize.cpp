#include "tapestry/continuation/memoize.hpp"

namespace tapestry::detail {

MemoState::Entry MemoState::enter() noexcept {
  const SpinGuard guard(queue.lock);
  if (phase_ == MemoPhase::full) return Entry::ready;
  if (phase_ == MemoPhase::running) return Entry::waiting;
  phase_ = MemoPhase::running;
  return Entry::runner;
}

void MemoState::ended(MemoPhase phase) noexcept {
  WaitQueue::Waiter* waiters = nullptr;
  {
    const SpinGuard guard(queue.lock);
    phase_ = phase;
    waiters = queue.popAll();
  }
  wakeAll(waiters);
}

}  // namespace tapestry::detail
