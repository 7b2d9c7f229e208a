// Defines after, the Do that waits.
#pragma once

#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/raii/do.hpp"

namespace tapestry::test {

inline Do<void> after(Clock::Duration duration) { return Do<void>::lift(sleepFor(duration)); }

}  // namespace tapestry::test
