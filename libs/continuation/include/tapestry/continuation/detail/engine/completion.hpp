// Defines BasicRendezvous, which synchronizes a waiting run, the end of its wait and a request to stop, and
// Completion, the rendezvous of a run with callbacks.
#pragma once

#include <atomic>
#include <cstdint>

#include "tapestry/continuation/detail/engine/run.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The run parks, and its claimer makes it ready, in either order; the second of the two resumes the run. A
/// request to stop may also claim the run, which is then stopped. States are sets of bits:
///   claimed  a claimer has the right to end the wait
///   ready    the run's value, or its stop, is there
///   parked   the run's thread has left it
/// A reference is held until both have arrived; the creator gives it.
template <class A, class R>
class BasicRendezvous : public StopListener {
 public:
  explicit BasicRendezvous(R& run) noexcept : run_(run) {}

  /// Returns true for the first caller.
  [[nodiscard]] bool claim() noexcept { return !(state_.fetch_or(claimed) & claimed); }

  /// For the claimer.
  R& run() const noexcept { return run_; }

  /// The claimer's last call; returns true if the run's thread has left the run: the caller then resumes it.
  /// Afterwards this object may be destroyed.
  [[nodiscard]] bool ready() noexcept { return meet(isReady, parked); }

  /// The last call of the run's thread; returns true if the run may continue at once.
  [[nodiscard]] bool wait() noexcept {
    // a run that is ready already need not be notified of a request to stop
    if (!(state_.load() & isReady) && !run_.stopState().add(*this)) onStop();
    return meet(parked, isReady);
  }

 private:
  static constexpr std::uint32_t claimed = 1, isReady = 2, parked = 4;

  void onStop() noexcept final {
    if (!claim()) return;
    R& run = run_;
    run.stop(Errors());
    if (ready()) run.resume();
  }

  /// Returns true for the second to arrive.
  bool meet(std::uint32_t own, std::uint32_t other) noexcept {
    if (!(state_.fetch_or(own) & other)) return false;
    run_.stopState().remove(*this);
    this->release();
    return true;
  }

  R& run_;
  typename A::template Atomic<std::uint32_t> state_{0};
};

extern template class BasicRendezvous<Atomics, Run>;

/// Created with one handle; when the last handle is dropped, the run is stopped with BrokenCallback, unless
/// its wait is over.
class Completion final : public Parker, public BasicRendezvous<Atomics, Run> {
 public:
  using BasicRendezvous::BasicRendezvous;

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
  bool park(Run&) noexcept override { return wait(); }

  std::atomic<std::uint32_t> handles_{1};
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
