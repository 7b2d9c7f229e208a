// Defines atLeast, positive and notNegative, which check arguments, and capacityOf, which limits one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include "tapestry/continuation/clock.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Returns the count. Throws std::invalid_argument if it is below `least`; `operation` is, for example,
/// "Barrier", and `what` "the number of parties".
std::size_t atLeast(std::ptrdiff_t least, std::ptrdiff_t count, const char* operation, const char* what);

/// As atLeast, for 1.
std::size_t positive(std::size_t count, const char* operation, const char* what);

/// The count as the capacity of a channel; if the count is larger, the largest capacity.
inline std::ptrdiff_t capacityOf(std::size_t count) noexcept {
  constexpr auto most = std::numeric_limits<std::ptrdiff_t>::max();
  return static_cast<std::ptrdiff_t>(std::min(count, static_cast<std::size_t>(most)));
}

/// Returns the duration. Throws std::invalid_argument if it is below 0.
Clock::Duration notNegative(Clock::Duration duration, const char* operation, const char* what);

}  // namespace tapestry::detail
#pragma GCC visibility pop
