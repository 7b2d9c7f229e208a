// Defines timeoutAbandon, a timeout that does not wait for the program that is late.
#pragma once

#include <exception>
#include <functional>
#include <utility>

#include "tapestry/raii/detail/detached.hpp"
#include "tapestry/raii/timeout.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The result of the program, or TimeoutError as soon as the duration is over. For programs that do not end
/// when they are asked to stop, such as an operation whose callback may never come; for all others use
/// `timeout`, which loses nothing.
///
/// The program is abandoned when it is late, and when the run that waits is cancelled: it is asked to stop,
/// and continues in the background to its end, beyond the scope in which it was begun. A value that it yields
/// then is released. Its error, and errors of its releases, are passed to `report` where it ends, or are lost
/// without a `report`; its cancellation is not an error. The destructor of a pool on which it runs waits for
/// it.
///
/// The program runs beside this run, on the run's executor. If the run has none, as in blockingAwait, it runs
/// on the workers, or else on the threads that call its callbacks. It has the run's clock, but no other slots
/// of the run's environment, which may end before it. Objects to which the program refers must outlive it.
template <class A>
[[nodiscard("a program does nothing until it is run")]] Do<A> timeoutAbandon(
    const Do<A>& program, detail::Ticks duration,
    std::function<void(const std::exception_ptr&)> report = nullptr,
    detail::Location location = detail::Location::current()) {
  return Do<A>(
      detail::stopToError<A>(detail::Timed<detail::Detached<A>, detail::ErrorIfLate<A>>(
                                 detail::Detached<A>(program, std::move(report), location), duration.count),
                             extend::At{"timeoutAbandon", location}));
}

}  // namespace tapestry
#pragma GCC visibility pop
