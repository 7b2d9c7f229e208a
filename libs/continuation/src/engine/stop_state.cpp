#include "tapestry/continuation/detail/engine/stop_state.hpp"

#include <utility>

#include "tapestry/continuation/detail/engine/ready.hpp"

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
  if (parent.watched()) watch();
  if (!parent_->add(*this)) request();
}

void StopState::linkAll() noexcept {
  // up to the first linked state, which is not written to, since other threads use it
  for (StopState* state = this; state->asked_; state = state->parent_) {
    if (state->watched()) state->watch();
    state->asked_ = nullptr;
    if (!state->parent_->listeners_.add(*state)) state->request();
  }
}

void StopState::passOn(std::uintptr_t branch, const Run& run) noexcept {
  if (asked_) return;  // it is not linked: nothing has listened to it
  listeners_.takeOutlasting(branch, [this, &run](StopListener& listener) {
    static_cast<ScopeListener&>(listener).goOnAt(parent_, run);
  });
}

bool ScopeListener::listen(Ref<StopState> state, std::uintptr_t branch) noexcept {
  state_ = std::move(state);
  branch_ = branch;
  return !state_ || state_->add(*this);
}

void ScopeListener::endListening() noexcept {
  if (const auto state = std::move(state_)) state->remove(*this);
}

void ScopeListener::goOnAt(StopState* state, const Run& run) noexcept {
  if (!listen(Ref<StopState>::share(state), state ? state->branchOf(run) : 0)) onStop();
}

}  // namespace tapestry::detail
