// Declares inBackground and inBackgroundOrHere, which call a function on a thread for blocking calls, and
// AwaitedAtExit, a mark that such a function may have.
#pragma once

#include <functional>

namespace tapestry::detail {

/// Calls the function on a thread for blocking calls, so that the caller may wait for the effects of the
/// function. Returns false, and does nothing, if there is no thread and none can be started. The function
/// must not throw.
[[nodiscard]] bool inBackground(std::function<void()> work);

/// As inBackground, but calls the function here if there is no thread.
void inBackgroundOrHere(std::function<void()> work);

/// Makes the end of the process wait, before it unloads the libraries that are loaded now, until all marks
/// are destroyed. What a library constructs later, as a compiler does in its first compilation, is destroyed
/// before the wait.
void awaitMarksAtExit();

/// Owned by work that calls a library that the end of the process unloads. The work must end by itself.
class AwaitedAtExit {
 public:
  AwaitedAtExit() noexcept;
  AwaitedAtExit(const AwaitedAtExit&) = delete;
  AwaitedAtExit& operator=(const AwaitedAtExit&) = delete;
  ~AwaitedAtExit();
};

}  // namespace tapestry::detail
