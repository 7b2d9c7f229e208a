// Declares countTurnsAnew, with which the order of a test's runs depends on its seed alone.
#pragma once

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Starts this thread's count of turns, after which a run that keeps the thread leaves branches to workers.
void countTurnsAnew() noexcept;

}  // namespace tapestry::detail
#pragma GCC visibility pop
