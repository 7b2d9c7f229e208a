// Defines withObserver of Do, which notifies an observer of a program's runs.
#pragma once

#include "tapestry/continuation/run_observer.hpp"
#include "tapestry/raii/environment.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Runs the program and its releases, and notifies the observer, which must outlive the runs, of the named
/// programs in them.
template <class A>
[[nodiscard("a program does nothing until it is run")]] Do<A> withObserver(RunObserver& observer,
                                                                           const Do<A>& program) {
  return local<detail::ObserverSlot>(&observer, program);
}

}  // namespace tapestry
#pragma GCC visibility pop
