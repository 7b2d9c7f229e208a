// Defines timeoutAbandon, a timeout that does not wait for the program that is late.
#pragma once

#include <exception>
#include <functional>
#include <utility>

#include "tapestry/raii/detail/detached.hpp"
#include "tapestry/raii/timeout.hpp"

namespace tapestry {

/// The program, or TimeoutError as soon as the duration is over. For what does not end when it is asked to,
/// such as an operation whose callback may never come; for all else there is `timeout`, which loses nothing.
///
/// The program is abandoned when it is late, and when this is cancelled: it is asked to stop, and goes on in
/// the background to its end, beyond the scope that it was begun in. Whatever it yields then is released.
/// What it fails with, or its releases, is given to `report`, where it ends, or is lost without one; its
/// cancellation is not an error. A pool that it runs on waits for it before it goes.
///
/// The program runs beside this run, on its executor; of a run that has none, as of blockingAwait, on the
/// workers, or else where callbacks take it. It has the run's clock, and no other slots of its environment,
/// which may be gone before it ends. What it borrows must outlive it.
template <class A>
[[nodiscard("a program does nothing until it is run")]] Do<A> timeoutAbandon(
    const Do<A>& program, detail::Ticks duration,
    std::function<void(const std::exception_ptr&)> report = nullptr,
    detail::Location location = detail::Location::current()) {
  using Acquired = typename Do<A>::Acquired;
  return Do<A>(UnitContinuation<Acquired>(
      detail::stopToError<A>(detail::Timed<detail::Detached<A>, detail::ErrorIfLate<A>>(
                                 detail::Detached<A>(program, std::move(report), location), duration.count),
                             extend::At{"timeoutAbandon", location})));
}

}  // namespace tapestry
