// Names Timer and TimerQueue, the timers of a clock.
#pragma once

#include "tapestry/continuation/detail/timer_queue.hpp"

#pragma GCC visibility push(default)
namespace tapestry::extend {

/// A clock calls expired() once at the timer's time, and not under a lock that start or cancel takes.
using detail::Timer;
/// The timers of a clock in the order of their times. Its owner's lock guards it. Cost: O(log n).
using detail::TimerQueue;
/// The clock of a run.
using detail::clockOf;
/// A time plus a duration, or the last representable time if that is earlier.
using detail::later;

}  // namespace tapestry::extend
#pragma GCC visibility pop
