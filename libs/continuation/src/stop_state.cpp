#include "tapestry/continuation/detail/stop_state.hpp"

#include <thread>

#include "tapestry/continuation/detail/ready.hpp"

namespace tapestry::detail {

constinit NeverStopped neverStopped;

void StopState::request() noexcept {
  lock_.lock();
  const bool first = !requested_.exchange(true);
  lock_.unlock();
  if (!first) return;
  auto& thread = threadState;
  retain();
  nextRequest_ = std::exchange(thread.stopRequests, this);
  if (thread.requestingStop) return;
  const DriveScope scope;
  thread.requestingStop = true;
  while (StopState* state = thread.stopRequests) {
    thread.stopRequests = state->nextRequest_;
    state->notify();
    state->release();
  }
  thread.requestingStop = false;
}

void StopState::notify() noexcept {
  lock_.lock();
  while (StopListener* listener = listeners_) {
    listeners_ = listener->next_;
    if (listeners_) listeners_->link_ = &listeners_;
    listener->link_ = nullptr;
    caller_ = &threadState;
    calling_.store(listener, std::memory_order_relaxed);  // relaxed: remove() reads it under the lock first
    lock_.unlock();
    listener->onStop();
    // release: whoever waits in remove() sees what the call did; the listener may be gone by now
    calling_.store(nullptr, std::memory_order_release);
    lock_.lock();
  }
  lock_.unlock();
}

bool StopState::add(StopListener& listener) noexcept {
  if (this == &never()) return true;
  lock_.lock();
  const bool added = !requested_.load(std::memory_order_relaxed);
  if (added) {
    listener.next_ = listeners_;
    listener.link_ = &listeners_;
    if (listeners_) listeners_->link_ = &listener.next_;
    listeners_ = &listener;
  }
  lock_.unlock();
  return added;
}

void StopState::remove(StopListener& listener) noexcept {
  if (this == &never()) return;
  lock_.lock();
  if (listener.link_) {
    *listener.link_ = listener.next_;
    if (listener.next_) listener.next_->link_ = listener.link_;
    listener.link_ = nullptr;
    lock_.unlock();
    return;
  }
  // acquire: pairs with the release in notify(), also where the call has just returned
  const bool elsewhere = calling_.load(std::memory_order_acquire) == &listener &&
                         caller_ != static_cast<const void*>(&threadState);
  lock_.unlock();
  while (elsewhere && calling_.load(std::memory_order_acquire) == &listener) std::this_thread::yield();
}

void StopState::linkToAny(StopState& parent) noexcept {
  parent_ = &parent;
  if (!parent_->add(*this)) request();
}

}  // namespace tapestry::detail
