// Declares tracePasses and traceRuns, which record what a program does for Chrome's trace viewer.
#pragma once

#include <functional>
#include <iosfwd>

namespace tapestry::examples {

struct Tracer {
  /// Begins to record; the function that it returns ends that, and writes the file.
  std::function<void(std::ostream&)> (*begin)();
  const char* recorded;  ///< what is in the file
};

/// Which thread computes which node forward and backward, in the first hundred passes.
extern const Tracer tracePasses;

/// Which thread runs which program, and what it waits for.
extern const Tracer traceRuns;

}  // namespace tapestry::examples
