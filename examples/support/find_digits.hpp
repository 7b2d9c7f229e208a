// Defines findDigits, which gets the digits that an example trains on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "support/digits.hpp"

namespace tapestry::examples {

/// MNIST from `directory` if one is given; otherwise from `data/mnist` under the current directory if that
/// exists; otherwise 12,000 training and 2,000 test digits drawn from `seed`. Throws InputError where
/// `loadMnist` does.
[[nodiscard]] DigitData findDigits(const std::optional<std::filesystem::path>& directory, std::uint64_t seed);

}  // namespace tapestry::examples
