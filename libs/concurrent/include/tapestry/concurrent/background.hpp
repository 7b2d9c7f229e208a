// Defines background, a program that runs while a scope lasts.
#pragma once

#include <string>
#include <utility>

#include "tapestry/concurrent/supervisor.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Starts the program beside the run, as Supervisor::spawn does, and yields its task. At the end of the scope
/// the program is asked to stop, and has ended, with all its releases, before earlier resources are released.
/// An error that no Task::join has delivered fails the scope.
template <class A>
[[nodiscard("a program does nothing until it is run")]] Do<Task<A>> background(
    const Do<A>& program, std::string name = {}, detail::Location location = detail::Location::current()) {
  return Supervisor::scoped({}, location)
      .flatMap([program, name = std::move(name), location](const Supervisor& supervisor) {
        return supervisor.spawn(program, name, location);
      });
}

// Nobody would run the program that is the value.
template <class A>
void background(  // expected a Do whose value is no program: flatMap for map, return !program in a block
    const Do<Do<A>>&, std::string = {}, detail::Location = detail::Location::current()) = delete;
void background(...) = delete;  // expected a Do, at most a name

}  // namespace tapestry
#pragma GCC visibility pop
