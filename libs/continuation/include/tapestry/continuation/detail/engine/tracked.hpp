// Defines enterTracked and enterTrackedBranch, which add unnamed runs and branches to the list of dumpRuns.
#pragma once

#include <atomic>
#include <cstddef>
#include <source_location>

#pragma GCC visibility push(default)
namespace tapestry::detail {

class Run;

/// Whether trackRuns is on.
extern std::atomic<bool> runsAreTracked;

// relaxed: a run that begins during a change may be listed or not
inline bool tracksRuns() noexcept { return runsAreTracked.load(std::memory_order_relaxed); }

void enterUnnamed(Run& run, const char* what, const std::source_location& location);
void enterUnnamedBranch(Run& run, std::size_t number, const std::source_location& location);

/// If runs are tracked, puts a run that is about to begin into a scope until everything above has been left.
inline void enterTracked(Run& run, const char* what, const std::source_location& location) {
  if (tracksRuns()) [[unlikely]]
    enterUnnamed(run, what, location);
}
/// As above, for the branch with the number, counted from 1; 0 for no number.
inline void enterTrackedBranch(Run& run, std::size_t number, const std::source_location& location) {
  if (tracksRuns()) [[unlikely]]
    enterUnnamedBranch(run, number, location);
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
