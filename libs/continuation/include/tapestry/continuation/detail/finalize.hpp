// Defines how finalizers run: masked, while a value or a stop waits for them.
#pragma once

#include <concepts>
#include <utility>

#include "tapestry/continuation/detail/program.hpp"

namespace tapestry::detail {

/// A value that must not be dropped: when a run is asked to stop with it in hand, the finalizer that
/// `abandon` gives is run, and the run stops with the value's own errors and those of the finalizer.
template <class A>
concept Abandonable = requires(A& value) {
  value.abandon().node();
  { value.errors() } -> std::same_as<Errors>;
};

void enterNewMask(Run& run);

/// Whether the run must not begin with what yields an A. Such as must not be dropped may be in hand already.
template <class A>
bool stopsBefore(const Run& run) noexcept {
  return !Abandonable<A> && run.stopRequested();
}

/// Of a program that yields at once: unless the run has been asked to stop.
template <SyncProgram P>
void stepAtOnce(const P& program, Run& run, const Node* owned) {
  using A = Stored<typename P::ValueType>;
  if (stopsBefore<A>(run))
    run.stop(Errors());
  else
    run.put<A>(program.eval());
  if (owned) owned->release();
}

/// Masks the run until everything above has been left; under a mask there is nothing to do.
inline void enterMask(Run& run) {
  if (&run.stopState() != &StopState::never()) enterNewMask(run);
}

/// Takes the run's stop, runs the finalizer (a program that yields Errors), and goes on stopping with its
/// errors added.
void finalizeStop(Run& run, Ref<const ProgramNode> finalizer);

/// Stops the run as cancelled, or with the errors of the value in its hand.
template <class A>
void cancelHolding(Run& run, [[maybe_unused]] A value) {
  if constexpr (Abandonable<A>) {
    run.stop(value.errors());
    finalizeStop(run, value.abandon().node());
  } else {
    run.stop(Errors());
  }
}

}  // namespace tapestry::detail
