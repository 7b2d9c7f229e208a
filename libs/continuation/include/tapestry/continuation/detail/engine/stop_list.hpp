// Defines StopListener, which is notified of a request to stop, and StopList, a request and its listeners.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "tapestry/continuation/detail/atomics.hpp"
#include "tapestry/continuation/detail/engine/node.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Is notified of a request at most once, on the requesting thread. `onStop` must be short and must not
/// throw.
class StopListener : public Node {
 public:
  constexpr StopListener() noexcept = default;
  virtual void onStop() noexcept = 0;
  /// Whether the listener continues to listen when the branch has ended; 0 means all branches.
  virtual bool outlasts(std::uintptr_t) const noexcept { return false; }

 private:
  template <class A>
  friend class StopList;
  StopListener* next_ = nullptr;
  StopListener** link_ = nullptr;  ///< the pointer to this listener; null when it is in no list
};

/// States: not requested, where listeners are added and removed; requested, where the listeners are called
/// one after the other, outside the lock, and none is added. Tests may watch a list that is not requested;
/// the StopWatch is then notified before each check.
template <class A>
class StopList {
 public:
  // relaxed: the request carries no data; a run acts on it at its next check, whenever that is
  bool requested() const noexcept {
    const Request request = request_.load(std::memory_order_relaxed);
    return request != Request::none && (request == Request::made || requestedAfterLook());
  }

  /// Returns true for the first caller, which then calls notify().
  [[nodiscard]] bool request() noexcept {
    const SpinGuard guard(lock_);
    return request_.exchange(Request::made) != Request::made;
  }

  /// Watches the list from now on, unless it is requested. Precondition: only one thread uses the list.
  void watch() noexcept {
    if (request_.load(std::memory_order_relaxed) == Request::none)
      request_.store(Request::watched, std::memory_order_relaxed);
  }
  bool watched() const noexcept { return request_.load(std::memory_order_relaxed) == Request::watched; }
  void notify() noexcept;

  /// Returns false if the request was made before; the listener will then not be called.
  [[nodiscard]] bool add(StopListener& listener) noexcept;
  /// Afterwards the listener is not called any more; waits for the end of a call on another thread.
  void remove(StopListener& listener) noexcept;
  /// Takes out the listeners that outlast the branch, and calls receive(listener) for each. Takes none after
  /// a request, which notifies them.
  template <class F>
  void takeOutlasting(std::uintptr_t branch, const F& receive) noexcept;

 private:
  void unlink(StopListener& listener) noexcept {
    *listener.link_ = listener.next_;
    if (listener.next_) listener.next_->link_ = listener.link_;
    listener.link_ = nullptr;
  }

  enum class Request : std::uint8_t { none, watched, made };

  // out of line, so that the check is short
  [[gnu::noinline]] bool requestedAfterLook() const noexcept {
    A::lookedAt();
    return request_.load(std::memory_order_relaxed) == Request::made;
  }

  typename A::template Atomic<Request> request_{Request::none};
  typename A::Lock lock_;
  /// The listener whose onStop is under way.
  typename A::template Atomic<StopListener*> calling_{nullptr};
  const void* caller_ = nullptr;  ///< the thread that calls it
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
    // release: a thread that waits in remove() sees the effects of the call; the listener may be destroyed by
    // now
    calling_.store(nullptr, std::memory_order_release);
    lock_.lock();
  }
  lock_.unlock();
}

template <class A>
bool StopList<A>::add(StopListener& listener) noexcept {
  const SpinGuard guard(lock_);
  // relaxed: written under the lock
  if (request_.load(std::memory_order_relaxed) == Request::made) return false;
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
    unlink(listener);
    lock_.unlock();
    return;
  }
  // acquire: pairs with the release in notify(), also if the call has just returned
  const bool elsewhere = calling_.load(std::memory_order_acquire) == &listener && caller_ != A::thread();
  lock_.unlock();
  while (elsewhere && calling_.load(std::memory_order_acquire) == &listener) A::pause();
}

template <class A>
template <class F>
void StopList<A>::takeOutlasting(std::uintptr_t branch, const F& receive) noexcept {
  StopListener* taken = nullptr;
  {
    const SpinGuard guard(lock_);
    // relaxed: written under the lock
    if (request_.load(std::memory_order_relaxed) == Request::made) return;
    for (StopListener* at = listeners_; at;) {
      StopListener* const listener = std::exchange(at, at->next_);
      if (!listener->outlasts(branch)) continue;
      unlink(*listener);
      listener->next_ = std::exchange(taken, listener);
    }
  }
  while (taken) receive(*std::exchange(taken, taken->next_));
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
