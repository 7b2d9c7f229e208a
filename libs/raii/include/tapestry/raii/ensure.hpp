// Defines ensure of Do, which runs a finalizer after a program, for any outcome.
#pragma once

#include <utility>

#include "tapestry/continuation/ensure.hpp"
#include "tapestry/raii/detail/registering.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Runs the program in a separate scope, and after its releases the finalizer, masked, whether the program
/// has yielded a value, failed or been cancelled. The finalizer is a UnitContinuation or a Do; its errors are
/// added to the outcome like errors of a release, and Cancelled becomes ReleaseCancelled. (To keep resources
/// of the program, begin the scope with `resource(Do<void>::now(), release)`.)
template <class A, class F>
  requires detail::ReleaseProgram<F>
[[nodiscard("a program does nothing until it is run")]] Do<A> ensure(const Do<A>& program,
                                                                     const F& finalizer) {
  using Acquired = typename Do<A>::Acquired;
  const UnitContinuation<Errors> release =
      detail::stopToErrors<ReleaseCancelled>(detail::toRelease(finalizer));
  const auto registered = program.run().acquire().map([release](Acquired ended) {
    return Acquired{std::move(ended.value), release};
  });
  return Do<A>(tapestry::onStop(registered, release)).run();
}

}  // namespace tapestry
#pragma GCC visibility pop
