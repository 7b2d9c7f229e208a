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

/// Where runs are tracked, puts a run that is about to begin into a scope, until all that is above has been
/// left.
void enterTracked(Run& run, const char* what, const std::source_location& location);
/// As above, of the branch with the number, counted from 1; 0 for none.
void enterTrackedBranch(Run& run, std::size_t number, const std::source_location& location);

}  // namespace tapestry::detail
