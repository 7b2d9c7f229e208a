// Defines blocking, which calls a blocking function on a thread for blocking calls.
#pragma once

#include <utility>

#include "tapestry/continuation/delay.hpp"
#include "tapestry/continuation/detail/engine/ready.hpp"
#include "tapestry/continuation/on.hpp"
#include "tapestry/continuation/stop_token.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The executor of threads for blocking calls: a task that finds no idle thread gets a new one, and is
/// refused if the system gives none. A thread that has been idle for a second ends.
Executor& blockingThreads() noexcept;

/// Calls the function on a thread of blockingThreads(), then returns the run to its previous executor. The
/// function may wait for a file, a lock, another library or, by blockingAwait, a program. It must not throw.
/// A request to stop does not interrupt it; f(StopToken) gets the run's own token, and may return early. A
/// run without an executor that the function resumes continues within the function's call, as on a thread
/// that executes no run, so the function must not hold a lock that the run takes.
template <class F>
  requires std::invocable<const F&> || std::invocable<const F&, StopToken>
[[nodiscard("a program does nothing until it is run")]] auto blocking(
    F function, detail::Location location = detail::Location::current()) {
  auto call = [function = std::move(function), location](const auto&... stop) {
    const detail::Interlude interlude(false);  // runs that the function resumes continue at once
    return detail::noThrow("blocking", location, "function", [&] { return function(stop...); });
  };
  if constexpr (std::invocable<const F&, StopToken>)
    return tapestry::on(blockingThreads(), stopToken().map(std::move(call), location), location);
  else
    return tapestry::on(blockingThreads(), tapestry::delay(std::move(call), location), location);
}

void blocking(...) = delete;  // expected a function f(), or f(StopToken), const, not mutable

}  // namespace tapestry
#pragma GCC visibility pop
