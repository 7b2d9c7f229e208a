// Defines positive and notNegative, which check what stages of streams are given.
#pragma once

#include <cstddef>

#include "tapestry/continuation/clock.hpp"

namespace tapestry::detail {

/// The count. Throws std::invalid_argument where it is 0: `operation` is such as "Stream::chunk", and `what`
/// such as "the size".
std::size_t positive(std::size_t count, const char* operation, const char* what);

/// The duration. Throws std::invalid_argument where it is below 0.
Clock::Duration notNegative(Clock::Duration duration, const char* operation, const char* what);

}  // namespace tapestry::detail
