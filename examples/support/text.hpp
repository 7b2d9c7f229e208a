// Defines how the examples write numbers and line them up.
#pragma once

#include <cstddef>
#include <string>

namespace tapestry::examples {

/// `value` with `digits` places after the point.
[[nodiscard]] std::string fixed(double value, int digits);

/// `value` in ten significant digits at most, and no more than it needs: 14, 0.25, 1e-20.
[[nodiscard]] std::string shortest(double value);

/// A fraction of 1 as a percentage, so that 0.9712 gives `97.12%`.
[[nodiscard]] std::string percent(double fraction, int digits = 2);

/// A length of time as it is spoken of: `0.8 s`, `42 s`, `3 min 20 s`, `2 h 5 min`.
[[nodiscard]] std::string duration(double seconds);

/// `text` with spaces before it, at least `width` bytes long.
[[nodiscard]] std::string padLeft(std::string text, std::size_t width);

/// `text` over and over, `count` times.
[[nodiscard]] std::string repeat(const std::string& text, std::size_t count);

}  // namespace tapestry::examples
