// Defines how runs and branches that have no names get into the list of dumpRuns.
#pragma once

#include <atomic>
#include <cstddef>
#include <source_location>

namespace tapestry::detail {

class Run;

/// Whether trackRuns is on.
extern std::atomic<bool> runsAreTracked;

// relaxed: a run that begins meanwhile may be listed or not
inline bool tracksRuns() noexcept { return runsAreTracked.load(std::memory_order_relaxed); }

void enterUnnamed(Run& run, const char* what, const std::source_location& location);
void enterUnnamedBranch(Run& run, std::size_t number, const std::source_location& location);

/// Where runs are tracked, puts a run that is about to begin into a scope, until all that is above has been
/// left.
inline void enterTracked(Run& run, const char* what, const std::source_location& location) {
  if (tracksRuns()) [[unlikely]]
    enterUnnamed(run, what, location);
}
/// As above, of the branch with the number, counted from 1; 0 for none.
inline void enterTrackedBranch(Run& run, std::size_t number, const std::source_location& location) {
  if (tracksRuns()) [[unlikely]]
    enterUnnamedBranch(run, number, location);
}

}  // namespace tapestry::detail
