#include "support/digit_batches.hpp"

#include <doctest/doctest.h>

#include <array>

namespace tapestry::examples {
namespace {

/// Digit i has the label i % 10, and a single pixel of ink, number i.
Digits numbered(std::size_t count) {
  Digits digits{std::vector<std::uint8_t>(count * Digits::imageSize), std::vector<std::uint8_t>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    digits.pixels[i * Digits::imageSize + i] = 255;
    digits.labels[i] = static_cast<std::uint8_t>(i % 10);
  }
  return digits;
}

TEST_CASE("A batch has its images as rows, from 0 to 1, beside their labels") {
  const Digits digits = numbered(10);
  const auto epoch = DigitBatches(digits, {.size = 4, .shuffle = false}).epoch(0);
  REQUIRE(epoch.size() == 3);
  CHECK(epoch.get(0).images.shape() == Shape{4, 784});
  const auto last = epoch.get(2);
  CHECK(last.images.shape() == Shape{2, 784});
  CHECK(last.labels == std::vector<std::uint32_t>{8, 9});
  CHECK(last.images(1, 9) == 1);
  CHECK(last.images(1, 8) == 0);
}

TEST_CASE("An epoch has every image once, with its own label, in its own order") {
  const Digits digits = numbered(100);
  const DigitBatches batches(digits, {.size = 7, .seed = 3});
  std::array<std::vector<std::size_t>, 2> orders;
  for (const std::size_t number : {0U, 1U}) {
    const auto epoch = batches.epoch(number);
    CHECK(epoch.size() == batches.size());
    for (std::size_t i = 0; i < epoch.size(); ++i) {
      const auto batch = epoch.get(i);
      for (std::size_t row = 0; row < batch.labels.size(); ++row) {
        const auto pixels = batch.images.values().subspan(row * 784, 784);
        orders[number].push_back(static_cast<std::size_t>(std::ranges::find(pixels, 1.0F) - pixels.begin()));
        CHECK(batch.labels[row] == orders[number].back() % 10);
      }
    }
  }
  CHECK(orders[0] != orders[1]);
  std::ranges::sort(orders[0]);
  for (std::size_t i = 0; i < 100; ++i) CHECK(orders[0].at(i) == i);
}

}  // namespace
}  // namespace tapestry::examples
