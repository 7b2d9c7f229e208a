// Defines awakeFor, how long a thread without work stays awake.
#pragma once

#include <chrono>

namespace tapestry::detail {

/// Before it sleeps, a thread that works with others looks for work that long: to be woken takes a system
/// call of the other and often longer than the work (docs/decisions/awake-threads.md).
inline constexpr std::chrono::microseconds awakeFor(100);

}  // namespace tapestry::detail
