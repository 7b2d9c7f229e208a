// Defines later, which adds a duration of any length to a time.
#pragma once

#include "tapestry/continuation/clock.hpp"

namespace tapestry::detail {

/// Returns the last representable time if the sum is later, so that "for ever" is not in the past.
/// Precondition: `now` is not before the clock's epoch.
inline Clock::TimePoint later(Clock::TimePoint now, Clock::Duration duration) noexcept {
  constexpr auto last = Clock::TimePoint::max();
  return duration > last - now ? last : now + duration;
}

}  // namespace tapestry::detail
