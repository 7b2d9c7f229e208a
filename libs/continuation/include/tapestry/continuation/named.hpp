// Declares dumpRuns, which lists named runs and their waits.
#pragma once

#include <iosfwd>

#include "tapestry/continuation/detail/engine/named_scope.hpp"
#include "tapestry/continuation/detail/within.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Writes the tree of the named programs that runs are in, to find runs that hang. A line has the name and
/// its place in the source, and either the operation that the run waits for, with its place, or that the run
/// is at work; the inner named programs follow. If several branches of a program wait, each has a line, and
/// branches at work are not listed. Runs before their first step are not listed; runs and branches without
/// names are listed only if trackRuns(true) was called before they began
/// (tapestry/continuation/track_runs.hpp). Can be called on any thread, and in a debugger:
/// tapestry::dumpRuns(std::cerr).
///
///     "request" (server.cpp:63): waits for its parallel branches (server.cpp:58)
///       "query" (server.cpp:40): waits for async (database.cpp:17)
///       "image" (server.cpp:41): at work
///
/// Cost: a name costs each run two locks and two allocations from a pool, each wait in it one such allocation
/// and two short locks; programs without names cost nothing.
void dumpRuns(std::ostream& out);

}  // namespace tapestry
#pragma GCC visibility pop
