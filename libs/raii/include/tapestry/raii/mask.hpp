// Defines mask of Do, under which a program does not see requests to stop.
#pragma once

#include "tapestry/continuation/mask.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Runs the program to its value or error even if its run is asked to stop meanwhile; the request is seen
/// afterwards, and the resources of the program are released then.
template <class A>
[[nodiscard("a program does nothing until it is run")]] Do<A> mask(const Do<A>& program) {
  return Do<A>(tapestry::mask(program.acquire()));
}

}  // namespace tapestry
#pragma GCC visibility pop
