#include "support/find_digits.hpp"

#include "support/drawn_digits.hpp"

namespace tapestry::examples {

DigitData findDigits(const std::optional<std::filesystem::path>& directory, std::uint64_t seed) {
  if (directory) return loadMnist(*directory);
  const std::filesystem::path usual = "data/mnist";
  if (std::error_code ignored; std::filesystem::exists(usual, ignored)) return loadMnist(usual);
  return {drawDigits(12'000, seed), drawDigits(2'000, ~seed),
          "digits drawn from seed " + std::to_string(seed) +
              ", since no data/mnist is here (or give --data DIR)"};
}

}  // namespace tapestry::examples
