// Declares inBackground and inBackgroundOrHere, which call a function on a thread for blocking calls.
#pragma once

#include <functional>

namespace tapestry::detail {

/// Calls the function on a thread for blocking calls, so that the caller may wait for the effects of the
/// function. Returns false, and does nothing, if there is no thread and none can be started. The function
/// must not throw.
[[nodiscard]] bool inBackground(std::function<void()> work);

/// As inBackground, but calls the function here if there is no thread.
void inBackgroundOrHere(const std::function<void()>& work);

}  // namespace tapestry::detail
