// Defines withClock of Do, which runs a program by another clock.
#pragma once

#include <utility>

#include "tapestry/continuation/clock.hpp"
#include "tapestry/raii/do.hpp"

namespace tapestry {

/// Runs the program and its releases by the clock, which must outlive its runs.
template <class A>
[[nodiscard("a program does nothing until it is run")]] Do<A> withClock(Clock& clock, const Do<A>& program) {
  using Acquired = typename Do<A>::Acquired;
  return Do<A>(
      UnitContinuation<Acquired>(withClock(clock, program.acquire()).map([&clock](Acquired acquired) {
        if (acquired.release)
          acquired.release = UnitContinuation<Errors>(withClock(clock, *std::move(acquired.release)));
        return acquired;
      })));
}

}  // namespace tapestry
