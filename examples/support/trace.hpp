// Declares tracePasses and traceRuns, which record what a program does for Chrome's trace viewer.
#pragma once

#include <functional>
#include <iosfwd>

namespace tapestry::examples {

/// Begins to record; the function that it returns ends that, and writes the file.
using Tracer = std::function<void(std::ostream&)> (*)();

/// Which thread computes which node forward and backward, in the first hundred passes.
std::function<void(std::ostream&)> tracePasses();

/// Which thread runs which program, and what it waits for.
std::function<void(std::ostream&)> traceRuns();

}  // namespace tapestry::examples
