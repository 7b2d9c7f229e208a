// Defines later, the time after a duration that may be as long as durations get.
#pragma once

#include "tapestry/continuation/clock.hpp"

namespace tapestry::detail {

/// The last time there is if that is not enough: "for ever" is not in the past. Precondition: `now` is not
/// before the clock's epoch.
inline Clock::TimePoint later(Clock::TimePoint now, Clock::Duration duration) noexcept {
  constexpr auto last = Clock::TimePoint::max();
  return duration > last - now ? last : now + duration;
}

}  // namespace tapestry::detail
