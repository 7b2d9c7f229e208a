// Defines drawDigits, which replaces MNIST if its files are missing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "support/digits.hpp"

namespace tapestry::examples {

/// Draws `count` digits of random classes with a trembling pen: strokes of random thickness, each glyph
/// randomly scaled, slanted, turned and shifted, with noise on top. The same seed gives the same bytes on
/// every platform, since all of it is integer arithmetic.
[[nodiscard]] Digits drawDigits(std::size_t count, std::uint64_t seed);

}  // namespace tapestry::examples
