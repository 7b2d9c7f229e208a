// Defines on of Do, which runs a program on another executor and comes back.
#pragma once

#include "tapestry/continuation/on.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Runs the program on the executor, then continues on the executor on which the run was before, however the
/// program ends. Fails with ExecutorStopped if the executor refuses the run. The resources of the program are
/// released where the scope ends; give it a separate scope, by `run()`, to release them on the executor as
/// well.
template <class A>
[[nodiscard("a program does nothing until it is run")]] Do<A> on(
    Executor& executor, const Do<A>& program, detail::Location location = detail::Location::current()) {
  return Do<A>(detail::stopToError<A>(tapestry::on(executor, program.acquire(), location),
                                      extend::At{"on", location}));
}

}  // namespace tapestry
#pragma GCC visibility pop
