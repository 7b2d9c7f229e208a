// Defines positive and notNegative, which check the arguments of stages of streams.
#pragma once

#include <cstddef>

#include "tapestry/continuation/clock.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Returns the count. Throws std::invalid_argument if it is 0; `operation` is, for example, "Stream::chunk",
/// and `what` "the size".
std::size_t positive(std::size_t count, const char* operation, const char* what);

/// Returns the duration. Throws std::invalid_argument if it is below 0.
Clock::Duration notNegative(Clock::Duration duration, const char* operation, const char* what);

}  // namespace tapestry::detail
#pragma GCC visibility pop
