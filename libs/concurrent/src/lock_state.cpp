#include "tapestry/concurrent/detail/lock_state.hpp"

#include "lock_places.hpp"

namespace tapestry::detail {

bool LockState::isFree() noexcept {
  const SpinGuard guard(queue_.lock);
  return holders_ == 0;
}

bool LockState::isAwaited() noexcept {
  const SpinGuard guard(queue_.lock);
  return queue_.first();
}

void LockState::step(Run& run, Keeper::Raw keeper) const {
  const Keeper kept(keeper);
  putAtOnce(run);
}

bool LockState::putAtOnce(Run& run) const {
  const_cast<LockState*>(this)->unlock();
  run.put(Errors());
  return true;
}

bool LockState::takes(Mode mode) noexcept {
  if (queue_.first() || !admits(mode)) return false;
  add(mode);
  return true;
}

void LockState::unlock() noexcept {
  {
    const SpinGuard guard(queue_.lock);
    holders_ = holders_ == writer ? 0 : holders_ - 1;
    if (!queue_.first()) return;
  }
  serve();
}

void LockState::serve() noexcept {
  WaitQueue::Waiter* served = nullptr;
  {
    const SpinGuard guard(queue_.lock);
    served = queue_.popWhile([this](const WaitQueue::Waiter& waiter) {
      const Mode mode = static_cast<const LockPlace&>(waiter).mode;
      if (!admits(mode)) return false;
      add(mode);
      return true;
    });
  }
  wakeAll(served);
}

}  // namespace tapestry::detail
