// Defines memoize, which runs a program once and remembers its value.
#pragma once

#include <concepts>
#include <optional>
#include <utility>

#include "tapestry/continuation/detail/wait_queue.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

template <class A>
class [[nodiscard("a program does nothing until it is run")]] Memoized
    : public ProgramOperations<Memoized<A>> {
  /// The phase remains open once the value exists; it is fresh again if the opener was stopped.
  struct State final : Node, OpenOnce {
    State(UnitContinuation<A> source, Location given) : program(std::move(source)), location(given) {}
    const UnitContinuation<A> program;
    const Location location;
    std::optional<Stored<A>> value;
  };

 public:
  using ValueType = A;

  Memoized(UnitContinuation<A> program, Location location)
      : state_(makeRef<State>(std::move(program), location)) {}

  void step(Run& run, Keeper) const {
    if (!run.stopIfRequested()) {
      run.keep(state_);
      visit(*state_, run);
    }
  }

 private:
  static void visit(State& state, Run& run) {
    switch (state.enter([] {})) {
      case Entry::ready:
        return putCopy(run, state);
      case Entry::opener:
        run.push<finished, stopped>(&state);
        return run.next(state.program.node());
      case Entry::waiting:
        run.push<visit>(&state);
        return run.park(run.push<leave, leave>(makeRef<OpenWaiter<State>>(state)),
                        {"the run that memoizes", state.location});
    }
  }

  static void putCopy(Run& run, const State& state) {
    run.put<Stored<A>>(copyNoThrow("memoize", state.location, *state.value));
  }

  static void finished(State& state, Run& run) {
    state.value.emplace(run.take<Stored<A>>());
    state.end(Phase::open, [] {});
    putCopy(run, state);
  }
  static void stopped(State& state, Run&) {
    state.end(Phase::fresh, [] {});
  }
  static void leave(OpenWaiter<State>& waiter, Run& run) {
    if (waiter.leave()) run.stop(Errors());
  }

  Ref<State> state_;
};

}  // namespace detail

/// Runs the program when the first run reaches it, and keeps the value as long as a copy of this program
/// exists. Runs that arrive meanwhile wait; each gets a copy of the value. If the first run is stopped, the
/// next one tries again; stopping a waiting run does not affect the others.
template <detail::Program P>
  requires std::copy_constructible<Stored<typename P::ValueType>>
[[nodiscard("a program does nothing until it is run")]] auto memoize(
    P program, detail::Location location = detail::Location::current()) {
  return detail::Memoized<typename P::ValueType>(UnitContinuation(std::move(program)), location);
}

void memoize(...) = delete;  // expected a program of a value that can be copied; for a Do raii/memoize.hpp

}  // namespace tapestry
#pragma GCC visibility pop
