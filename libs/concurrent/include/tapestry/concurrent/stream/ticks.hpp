// Defines ticks, a stream of numbers that come by the clock.
#pragma once

#include <cstdint>

#include "tapestry/concurrent/stream/stream.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// 0 at once, then 1, 2 and so on, one number in each period, by the clock of the run that consumes the
/// stream. A slower consumer gets the numbers that are due without a wait. Throws std::invalid_argument for a
/// period below 0.
Stream<std::uint64_t> ticks(detail::Ticks period, detail::Location location = detail::Location::current());

}  // namespace tapestry
#pragma GCC visibility pop
