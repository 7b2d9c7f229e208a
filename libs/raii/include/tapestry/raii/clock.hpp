// Defines withClock of Do, which runs a program by another clock.
#pragma once

#include "tapestry/continuation/clock.hpp"
#include "tapestry/raii/random.hpp"  // a testing::Scheduler sets both

#pragma GCC visibility push(default)
namespace tapestry {

/// Runs the program and its releases by the clock, which must outlive its runs.
template <class A>
[[nodiscard("a program does nothing until it is run")]] Do<A> withClock(Clock& clock, const Do<A>& program) {
  return local<detail::ClockSlot>(&clock, program);
}

}  // namespace tapestry
#pragma GCC visibility pop
