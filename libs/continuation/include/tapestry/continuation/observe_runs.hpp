// Defines observeRuns, which sets an observer for the runs of the whole process.
#pragma once

#include <string>

#include "tapestry/continuation/run_observer.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// From now on the observer, which must outlive the runs, is notified of the named programs of every run
/// that begins, except within withObserver; null ends that. While trackRuns(true) is in effect, runs and
/// branches count as named. Can be called on any thread.
///
/// If the environment variable TAPESTRY_TRACE is 1 when the process starts, the process begins with
/// trackRuns(true) and an observer that prints each step of each run to stderr: where a program begins, what
/// it waits for, where it continues and where it ends, with names, places in the source, and threads. Passes
/// of networks print their operations with the shapes, too.
///
/// Cost: while there is none, reading a pointer for each name.
void observeRuns(RunObserver* observer) noexcept;

namespace extend {

/// Whether TAPESTRY_TRACE was 1 when this was first called.
bool printsSteps() noexcept;
/// Writes a line for a step of this thread to stderr.
void printStep(const std::string& step) noexcept;

}  // namespace extend

}  // namespace tapestry
#pragma GCC visibility pop
