#include "tapestry/continuation/detail/stop_state.hpp"

#include "tapestry/continuation/detail/ready.hpp"

namespace tapestry::detail {

template class StopList<Atomics>;

constinit NeverStopped neverStopped;

void StopState::request() noexcept {
  if (!listeners_.request()) return;
  auto& thread = threadState;
  retain();
  nextRequest_ = std::exchange(thread.stopRequests, this);
  if (thread.requestingStop) return;
  const DriveScope scope;
  thread.requestingStop = true;
  while (StopState* state = thread.stopRequests) {
    thread.stopRequests = state->nextRequest_;
    state->listeners_.notify();
    state->release();
  }
  thread.requestingStop = false;
}

void StopState::linkToAny(StopState& parent) noexcept {
  parent_ = &parent;
  if (!parent_->add(*this)) request();
}

void StopState::linkAll() noexcept {
  for (StopState* state = this; std::exchange(state->asked_, nullptr); state = state->parent_)
    if (!state->parent_->listeners_.add(*state)) state->request();
}

}  // namespace tapestry::detail
