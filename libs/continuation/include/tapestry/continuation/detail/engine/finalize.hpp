// Defines stepAtOnce, the step of a program that yields at once, Abandonable, values that must not be
// dropped, and the functions that run finalizers masked while a value or a stop waits.
#pragma once

#include <concepts>

#include "tapestry/continuation/detail/engine/program.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// A value that must not be dropped: when a run that holds it is asked to stop, the run executes the
/// finalizer that `abandon` returns, and stops with the value's own errors and those of the finalizer.
template <class A>
concept Abandonable = requires(A& value) {
  value.abandon().node();
  { value.errors() } -> std::same_as<Errors>;
};

/// Returns whether the run must stop instead of beginning a program that yields an A. A program of an
/// Abandonable begins in any case, since it may already hold the value.
template <class A>
bool stopsBefore(const Run& run) noexcept {
  return !Abandonable<A> && run.stopRequested();
}

/// The step of a program that yields at once: puts its value, unless the run has been asked to stop.
template <SyncProgram P>
void stepAtOnce(const P& program, Run& run) {
  using A = Stored<typename P::ValueType>;
  if (stopsBefore<A>(run))
    run.stop(Errors());
  else
    run.put<A>(program.eval());
}

/// A value that waits for a finalizer.
template <class A>
struct HeldValue final : Node {
  explicit HeldValue(A held) : value(std::move(held)) {}
  A value;
};

void enterNewMask(Run& run);

/// Masks the run until everything above has been left; has no effect under a mask.
inline void enterMask(Run& run) {
  if (&run.stopState() != &StopState::never()) enterNewMask(run);
}

/// Takes the run's stop, runs the finalizer (a program that yields Errors), and continues stopping with
/// its errors added.
void finalizeStop(Run& run, Ref<const ProgramNode> finalizer);

/// Stops the run as cancelled, or, for an Abandonable value, with the value's errors and its finalizer.
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
#pragma GCC visibility pop
