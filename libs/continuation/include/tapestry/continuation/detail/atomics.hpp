// Defines Atomics, the atomics and locks of the library's state machines.
#pragma once

#include <atomic>

#include "tapestry/continuation/detail/engine/thread_state.hpp"
#include "tapestry/continuation/detail/spin_lock.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The state machines are templates over this class, so that tests can run them with atomics and locks whose
/// every use is a step of a scheduler, which tries one interleaving after the other.
struct Atomics {
  template <class T>
  using Atomic = std::atomic<T>;
  using Lock = SpinLock;

  /// Called by a thread that waits for other threads, to let them continue.
  static void pause() noexcept { SpinLock::pause(); }
  /// Identifies the calling thread.
  static const void* thread() noexcept { return &threadState; }
  /// Called when a run of this thread checks a watched request.
  static void lookedAt() noexcept {
    if (threadState.stopWatch) threadState.stopWatch->lookedAt();
  }
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
