// Defines local of Do, which runs a program with a slot of the environment set.
#pragma once

#include <utility>

#include "tapestry/continuation/environment.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Runs the program and its releases with the slot set to the value. (`Do<A>::lift(ask<Slot>())` reads it.)
template <class Slot, class A>
[[nodiscard("a program does nothing until it is run")]] Do<A> local(
    typename Slot::Type value, const Do<A>& program,
    detail::Location location = detail::Location::current()) {
  using Acquired = typename Do<A>::Acquired;
  auto acquire = tapestry::local<Slot>(value, program.acquire(), location);
  return Do<A>(std::move(acquire).map([value = std::move(value), location](Acquired acquired) {
    acquired.mapRest([&](UnitContinuation<Errors> release) {
      return UnitContinuation<Errors>(tapestry::local<Slot>(value, std::move(release), location));
    });
    return acquired;
  }));
}

}  // namespace tapestry
#pragma GCC visibility pop
