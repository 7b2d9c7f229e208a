// Defines withClock of Do, which runs a program by another clock.
#pragma once

#include "tapestry/continuation/clock.hpp"
#include "tapestry/raii/do.hpp"

namespace tapestry {

/// Runs the program by the clock, which must outlive its runs.
template <class A>
[[nodiscard("a program does nothing until it is run")]] Do<A> withClock(Clock& clock, const Do<A>& program) {
  return Do<A>(UnitContinuation<typename Do<A>::Acquired>(withClock(clock, program.acquire())));
}

}  // namespace tapestry
