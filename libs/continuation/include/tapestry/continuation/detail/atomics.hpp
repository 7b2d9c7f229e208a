// Defines Atomics, the atomics and locks of the library's state machines.
#pragma once

#include <atomic>

#include "tapestry/continuation/detail/engine/thread_state.hpp"
#include "tapestry/continuation/detail/spin_lock.hpp"

namespace tapestry::detail {

/// The state machines are templates over this, so that tests can run them on atomics and locks whose every
/// use is a step of a scheduler, which tries one interleaving after the other.
struct Atomics {
  template <class T>
  using Atomic = std::atomic<T>;
  using Lock = SpinLock;

  /// Lets other threads go on, for a thread that waits for them.
  static void pause() noexcept { SpinLock::pause(); }
  /// Tells threads apart.
  static const void* thread() noexcept { return &threadState; }
  /// A run of this thread looks at a request that is watched.
  static void lookedAt() noexcept {
    if (threadState.stopWatch) threadState.stopWatch->lookedAt();
  }
};

}  // namespace tapestry::detail
