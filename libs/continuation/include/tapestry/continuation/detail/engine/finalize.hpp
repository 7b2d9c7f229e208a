// Defines how finalizers run: masked, while a value or a stop waits for them.
#pragma once

#include <utility>

#include "tapestry/continuation/detail/engine/step_at_once.hpp"

namespace tapestry::detail {

void enterNewMask(Run& run);

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
