// Defines withRandom of Do, which runs a program with another source of random numbers.
#pragma once

#include "tapestry/continuation/random.hpp"
#include "tapestry/raii/environment.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Runs the program and its releases with the source of random numbers, which must outlive its runs.
template <class A>
[[nodiscard("a program does nothing until it is run")]] Do<A> withRandom(Random& random,
                                                                         const Do<A>& program) {
  return local<detail::RandomSlot>(&random, program);
}

}  // namespace tapestry
#pragma GCC visibility pop
