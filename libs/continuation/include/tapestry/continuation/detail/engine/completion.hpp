// Defines Completion, where a run that waits for a callback and the callbacks meet.
#pragma once

#include <atomic>
#include <cstdint>

#include "tapestry/continuation/parallel/detail/rendezvous.hpp"

namespace tapestry::detail {

/// Born with one handle; when the last is dropped the run is stopped with BrokenCallback, unless its wait is
/// over.
class Completion final : public Rendezvous {
 public:
  using Rendezvous::Rendezvous;

  /// Parks the run, as the last thing in the current step, at a new completion.
  static Ref<Completion> parkAt(Run& run, const Wait& wait) {
    auto completion = makeRef<Completion>(run);
    run.park(*Ref<Completion>(completion).detach(), wait);
    return completion;
  }

  /// Precondition: the caller has claimed, and put a value into the run or stopped it.
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
