#include "tapestry/raii/detail/shared_gate.hpp"

namespace tapestry::detail {

bool SharedUser::enter() noexcept {
  using State = SharedGate::State;
  switch (gate_.state_) {
    case State::idle:
      gate_.state_ = State::opening;
      opener = true;
      return true;
    case State::open:
      ++gate_.users_;
      return true;
    default:
      return false;
  }
}

void SharedGate::opened() noexcept {
  Waiter* waiters = nullptr;
  {
    const SpinGuard guard(queue_.lock);
    state_ = State::open;
    users_ = 1;
    waiters = queue_.popAll();
    for (Waiter* waiter = waiters; waiter; waiter = waiter->nextWaiter) ++users_;
  }
  while (waiters) std::exchange(waiters, waiters->nextWaiter)->wake();
}

void SharedGate::failed(std::exception_ptr error) noexcept {
  Waiter* waiters = nullptr;
  {
    const SpinGuard guard(queue_.lock);
    state_ = State::idle;
    waiters = queue_.popAll();
  }
  while (waiters) {
    auto* user = static_cast<SharedUser*>(std::exchange(waiters, waiters->nextWaiter));
    user->error = error;
    user->wake();
  }
}

bool SharedGate::leave() noexcept {
  const SpinGuard guard(queue_.lock);
  if (--users_ > 0) return false;
  state_ = State::closing;
  return true;
}

void SharedGate::closed() noexcept {
  SharedUser* next = nullptr;
  {
    const SpinGuard guard(queue_.lock);
    next = static_cast<SharedUser*>(queue_.pop());
    state_ = next ? State::opening : State::idle;
    if (next) next->opener = true;
  }
  if (next) next->wake();
}

}  // namespace tapestry::detail
