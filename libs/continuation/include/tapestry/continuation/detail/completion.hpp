// Defines Completion, where a run that waits for a callback and the callbacks meet.
#pragma once

#include <atomic>
#include <cstdint>

#include "tapestry/continuation/detail/run.hpp"

namespace tapestry::detail {

/// Two parties meet here, in either order: the run parks, and one caller, who claimed it, makes it ready.
/// Whoever comes second goes on with the run. States are sets of bits:
///   claimed  a caller has the right to give the run its value
///   ready    the value is in the run
///   parked   the run's thread has left it
/// The run holds a reference while it waits; it is born with one handle.
class Completion final : public Node, private Parker {
 public:
  explicit Completion(Run& run) noexcept : run_(&run) {}

  /// Parks the run, as the last thing in the current step, at a new completion.
  static Ref<Completion> parkAt(Run& run, const Wait& wait) {
    auto completion = makeRef<Completion>(run);
    run.park(*Ref(completion).detach(), wait);
    return completion;
  }

  /// The run, for the first caller; null for all others.
  Run* claim() noexcept { return state_.fetch_or(claimed) & claimed ? nullptr : run_; }

  /// Precondition: the caller has claimed, and put a value into the run or stopped it.
  void ready(Run& run) noexcept {
    if (!(state_.fetch_or(isReady) & parked)) return;
    release();
    run.resumeHere();
  }

  void addHandle() noexcept {
    handles_.fetch_add(1, std::memory_order_relaxed);  // relaxed: made from a handle that is held
  }
  void dropHandle() noexcept;

 private:
  static constexpr std::uint32_t claimed = 1, isReady = 2, parked = 4;

  bool park(Run&) noexcept override {
    if (!(state_.fetch_or(parked) & isReady)) return false;
    release();
    return true;
  }

  Run* const run_;
  std::atomic<std::uint32_t> state_{0};
  std::atomic<std::uint32_t> handles_{1};
};

}  // namespace tapestry::detail
