// Defines checkServe, which refuses options of serve.
#pragma once

#include <cstddef>
#include <optional>

#include "tapestry/continuation/clock.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Throws std::invalid_argument.
void checkServe(std::size_t connections, std::optional<Clock::Duration> timeout, Clock::Duration drain);

}  // namespace tapestry::detail
#pragma GCC visibility pop
