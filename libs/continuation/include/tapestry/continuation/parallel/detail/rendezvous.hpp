// Defines Rendezvous, which synchronizes a waiting run, the end of its wait and a request to stop.
#pragma once

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

class Rendezvous : public Parker, public BasicRendezvous<Atomics, Run> {
 public:
  using BasicRendezvous::BasicRendezvous;

 private:
  bool park(Run&) noexcept override { return wait(); }
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
