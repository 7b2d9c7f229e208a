// Defines withSlot, a program with a slot of its environment set.
#pragma once

#include <utility>

#include "tapestry/continuation/environment.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Returns the program with the slot set to the value.
template <class Slot, class A>
Do<A> withSlot(typename Slot::Type value, Do<A> program) {
  using Acquired = typename Do<A>::Acquired;
  return Do<A>(UnitContinuation<Acquired>(local<Slot>(std::move(value), std::move(program).acquire())));
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
