// Defines StopListener, which hears of a request to stop, and StopList, a request and those that hear of it.
#pragma once

#include <atomic>

#include "tapestry/continuation/detail/node.hpp"
#include "tapestry/continuation/detail/spin_lock.hpp"

namespace tapestry::detail {

/// Hears of a request at most once, on the thread that made it. `onStop` must be short and must not throw.
class StopListener : public Node {
 public:
  constexpr StopListener() noexcept = default;
  virtual void onStop() noexcept = 0;

 private:
  template <class A>
  friend class StopList;
  StopListener* next_ = nullptr;
  StopListener** link_ = nullptr;  ///< what points to this one; null when it is not in a list
};

/// States: not requested, where listeners come and go; requested, where those that were there are called one
/// after the other, outside the lock, and no more are added.
template <class A>
class StopList {
 public:
  // relaxed: the request carries no data; a run acts on it at its next flatMap, whenever that is
  bool requested() const noexcept { return requested_.load(std::memory_order_relaxed); }

  /// True for the first; it then calls notify().
  [[nodiscard]] bool request() noexcept {
    const SpinGuard guard(lock_);
    return !requested_.exchange(true);
  }
  void notify() noexcept;

  /// False if the request was made before; then the listener will not be called.
  [[nodiscard]] bool add(StopListener& listener) noexcept;
  /// Afterwards the listener is not called any more; waits for a call that another thread is in.
  void remove(StopListener& listener) noexcept;

 private:
  typename A::template Atomic<bool> requested_{false};
  typename A::Lock lock_;
  /// The listener whose onStop is under way.
  typename A::template Atomic<StopListener*> calling_{nullptr};
  const void* caller_ = nullptr;  ///< the thread that is in it
  StopListener* listeners_ = nullptr;
};

template <class A>
void StopList<A>::notify() noexcept {
  lock_.lock();
  while (StopListener* listener = listeners_) {
    listeners_ = listener->next_;
    if (listeners_) listeners_->link_ = &listeners_;
    listener->link_ = nullptr;
    caller_ = A::thread();
    calling_.store(listener, std::memory_order_relaxed);  // relaxed: remove() reads it under the lock first
    lock_.unlock();
    listener->onStop();
    // release: whoever waits in remove() sees what the call did; the listener may be gone by now
    calling_.store(nullptr, std::memory_order_release);
    lock_.lock();
  }
  lock_.unlock();
}

template <class A>
bool StopList<A>::add(StopListener& listener) noexcept {
  const SpinGuard guard(lock_);
  if (requested_.load(std::memory_order_relaxed)) return false;  // relaxed: written under the lock
  listener.next_ = listeners_;
  listener.link_ = &listeners_;
  if (listeners_) listeners_->link_ = &listener.next_;
  listeners_ = &listener;
  return true;
}

template <class A>
void StopList<A>::remove(StopListener& listener) noexcept {
  lock_.lock();
  if (listener.link_) {
    *listener.link_ = listener.next_;
    if (listener.next_) listener.next_->link_ = listener.link_;
    listener.link_ = nullptr;
    lock_.unlock();
    return;
  }
  // acquire: pairs with the release in notify(), also where the call has just returned
  const bool elsewhere = calling_.load(std::memory_order_acquire) == &listener && caller_ != A::thread();
  lock_.unlock();
  while (elsewhere && calling_.load(std::memory_order_acquire) == &listener) A::pause();
}

}  // namespace tapestry::detail
