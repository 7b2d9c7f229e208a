// Defines blocking, which calls a function that blocks its thread where it is in nobody's way.
#pragma once

#include <utility>

#include "tapestry/continuation/delay.hpp"
#include "tapestry/continuation/on.hpp"

namespace tapestry {

/// The executor of threads for blocking calls: a task that finds none idle gets a new one; one that has been
/// idle for a second ends.
Executor& blockingThreads() noexcept;

/// Calls the function, which may wait for a file, a lock, another library, or by blockingAwait for a program,
/// on a thread made for that, and goes on where the run was. The function must not throw, and a request to
/// stop does not interrupt it.
template <class F>
[[nodiscard("a program does nothing until it is run")]] auto blocking(
    F function, detail::Location location = detail::Location::current()) {
  constexpr bool accepted = std::invocable<const F&>;
  static_assert(accepted, "tapestry::blocking: expected a function that takes no argument, f()");
  if constexpr (accepted)
    return on(blockingThreads(), delay(std::move(function), location));
  else
    return function;  // the static_assert has said it all
}

}  // namespace tapestry
