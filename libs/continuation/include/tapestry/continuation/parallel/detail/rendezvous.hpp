// Defines Rendezvous, where a waiting run, the end of its wait and a request to stop meet.
#pragma once

#include <cstdint>

#include "tapestry/continuation/detail/engine/run.hpp"

namespace tapestry::detail {

/// The run parks, and its claimer makes it ready, in either order; the second of the two goes on with the
/// run. A request to stop may claim it too; then the run is stopped. States are sets of
/// bits:
///   claimed  a claimer has the right to end the wait
///   ready    what the run goes on with is there
///   parked   the run's thread has left it
/// Until they have met a reference is held; the maker gives one.
template <class A, class R>
class BasicRendezvous : public StopListener {
 public:
  explicit BasicRendezvous(R& run) noexcept : run_(run) {}

  /// True for the first caller.
  [[nodiscard]] bool claim() noexcept { return !(state_.fetch_or(claimed) & claimed); }

  /// For the claimer.
  R& run() const noexcept { return run_; }

  /// For the claimer, last; true if the run's thread has left it: then the caller goes on with it.
  /// Afterwards this may be gone.
  [[nodiscard]] bool ready() noexcept { return meet(isReady, parked); }

  /// For the run's thread, last; true if the run may go on at once.
  [[nodiscard]] bool wait() noexcept {
    // what is ready already needs not hear of a stop
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

  /// True for the second to come.
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
