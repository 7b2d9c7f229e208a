// Defines LockPlace and TryLockPlace, with which runs request a LockState.
#pragma once

#include "tapestry/concurrent/detail/lock_state.hpp"
#include "tapestry/raii/extend/wait_for.hpp"

namespace tapestry::detail {

struct LockRequest {
  Ref<LockState> lock;
  LockState::Mode mode;
};

/// A run that waits for the lock, and gives it back when its scope ends.
class LockPlace : public Waiter {
 public:
  using Request = LockRequest;
  explicit LockPlace(const Request& request) noexcept
      : Waiter(request.lock->queue_), mode(request.mode), lock_(*request.lock) {}

  extend::Acquired<void> served() const { return {Try<void>::success(Unit{}), releaseOf(lock_)}; }
  void declined() noexcept { lock_.unlock(); }

  static UnitContinuation<Errors> releaseOf(LockState& lock) noexcept {
    return UnitContinuation<Errors>(Ref<const ProgramNode>(Ref<LockState>::share(&lock)));
  }

  const LockState::Mode mode;

 private:
  bool enter() noexcept final { return lock_.takes(mode); }
  /// The waiters behind it may be readers, as the holders of the lock.
  void left() noexcept final { lock_.serve(); }
  LockState& lock_;
};

/// A run that takes the lock only if it need not wait.
class TryLockPlace : public Waiter {
 public:
  using Request = LockRequest;
  explicit TryLockPlace(const Request& request) noexcept
      : Waiter(request.lock->queue_), mode_(request.mode), lock_(*request.lock) {}

  extend::Acquired<bool> served() const {
    extend::Acquired<bool> result{Try<bool>::success(taken_), {}};
    if (taken_) result.release = LockPlace::releaseOf(lock_);
    return result;
  }
  void declined() noexcept {
    if (taken_) lock_.unlock();
  }

 private:
  bool enter() noexcept final {
    taken_ = lock_.takes(mode_);
    return true;
  }
  const LockState::Mode mode_;
  bool taken_ = false;
  LockState& lock_;
};

}  // namespace tapestry::detail
