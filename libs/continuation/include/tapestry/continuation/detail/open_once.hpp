// Defines OpenOnce, a state that the first run opens while other runs wait until it is open.
#pragma once

#include <cstdint>

#include "tapestry/continuation/detail/wait_queue.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// fresh    no run has entered, or the last opener gave up
/// opening  the first run, the opener, is at work; other runs wait
/// open     the opener has succeeded
/// failed   the opener has failed, for all
enum class Phase : std::uint8_t { fresh, opening, open, failed };

/// The next action of a run that enters: open the state, or wait and enter again, or continue.
enum class Entry : std::uint8_t { opener, waiting, ready };

/// A base of states that runs share, such as a memoized value or a node of a network.
template <class A, class R>
class BasicOpenOnce {
 public:
  using Queue = BasicWaitQueue<A, R>;

  /// Called by each run that enters; calls admit() under the lock if the phase is open.
  template <class F>
  Entry enter(const F& admit) noexcept {
    const SpinGuard guard(queue.lock);
    if (phase == Phase::opening) return Entry::waiting;
    if (phase == Phase::open) admit();
    if (phase != Phase::fresh) return Entry::ready;
    phase = Phase::opening;
    return Entry::opener;
  }

  /// Called by the opener: sets the phase and calls settle() under the lock, then wakes all waiters, which
  /// enter again.
  template <class F>
  void end(Phase result, const F& settle) noexcept {
    wakeAllIf(queue, [&] {
      phase = result;
      settle();
      return true;
    });
  }

  [[no_unique_address]] Queue queue;  ///< its lock guards the phase
  Phase phase = Phase::fresh;
};

using OpenOnce = BasicOpenOnce<Atomics, Run>;

/// The queue place of a waiting run. W is a waiter, State a BasicOpenOnce.
template <class W, class State>
class BasicOpenWaiter final : public W {
 public:
  explicit BasicOpenWaiter(State& state) noexcept : W(state.queue), state_(state) {}
  State& state() const noexcept { return state_; }

 private:
  bool enter() noexcept override { return state_.phase != Phase::opening; }
  State& state_;
};
template <class State>
using OpenWaiter = BasicOpenWaiter<Waiter, State>;

}  // namespace tapestry::detail
#pragma GCC visibility pop
