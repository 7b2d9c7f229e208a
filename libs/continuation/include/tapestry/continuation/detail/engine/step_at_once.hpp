// Defines stepAtOnce, the step of a program that yields at once, and Abandonable, values for which it ignores
// requests to stop.
#pragma once

#include <concepts>

#include "tapestry/continuation/detail/engine/program.hpp"
#include "tapestry/continuation/monad/errors.hpp"

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

}  // namespace tapestry::detail
#pragma GCC visibility pop
