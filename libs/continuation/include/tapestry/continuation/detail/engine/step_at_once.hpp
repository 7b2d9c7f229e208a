// Defines stepAtOnce, by which a program that yields at once begins, and Abandonable, what keeps it from
// looking at requests to stop.
#pragma once

#include <concepts>

#include "tapestry/continuation/detail/engine/program.hpp"
#include "tapestry/continuation/monad/errors.hpp"

namespace tapestry::detail {

/// A value that must not be dropped: when a run is asked to stop with it in hand, the finalizer that
/// `abandon` gives is run, and the run stops with the value's own errors and those of the finalizer.
template <class A>
concept Abandonable = requires(A& value) {
  value.abandon().node();
  { value.errors() } -> std::same_as<Errors>;
};

/// Whether the run must not begin with what yields an A. Such as must not be dropped may be in hand already.
template <class A>
bool stopsBefore(const Run& run) noexcept {
  return !Abandonable<A> && run.stopRequested();
}

/// Of a program that yields at once: unless the run has been asked to stop.
template <SyncProgram P>
void stepAtOnce(const P& program, Run& run) {
  using A = Stored<typename P::ValueType>;
  if (stopsBefore<A>(run))
    run.stop(Errors());
  else
    run.put<A>(program.eval());
}

}  // namespace tapestry::detail
