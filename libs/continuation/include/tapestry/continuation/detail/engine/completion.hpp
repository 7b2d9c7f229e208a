// Defines Completion, which synchronizes a run that waits for a callback with the callbacks.
#pragma once

#include <atomic>
#include <cstdint>

#include "tapestry/continuation/parallel/detail/rendezvous.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Created with one handle; when the last handle is dropped, the run is stopped with BrokenCallback, unless
/// its wait is over.
class Completion final : public Rendezvous {
 public:
  using Rendezvous::Rendezvous;

  /// Parks the run at a new completion, as the last action of the current step.
  static Ref<Completion> parkAt(Run& run, const Wait& wait) {
    auto completion = makeRef<Completion>(run);
    run.park(*Ref<Completion>(completion).detach(), wait);
    return completion;
  }

  /// Precondition: the caller has claimed the run, and has put a value into it or stopped it.
  void complete() noexcept {
    Run& waiting = run();
    if (!ready()) return;
    Executor& executor = waiting.executor();
    executor.isHere() ? executor.executeHere(waiting) : waiting.resumeHere();
  }

  void addHandle() noexcept {
    handles_.fetch_add(1, std::memory_order_relaxed);  // relaxed: made from a handle that is held
  }
  void dropHandle() noexcept;

 private:
  std::atomic<std::uint32_t> handles_{1};
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
