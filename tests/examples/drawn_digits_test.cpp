#include "support/drawn_digits.hpp"

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <span>

namespace tapestry::examples {
namespace {

/// FNV-1a.
std::uint64_t hash(std::span<const std::uint8_t> bytes) {
  std::uint64_t value = 0xcbf29ce484222325;
  for (const auto byte : bytes) value = (value ^ byte) * 0x100000001b3;
  return value;
}

using Average = std::array<int, Digits::imageSize>;

std::array<Average, 10> averages(const Digits& digits) {
  std::array<Average, 10> sums{};
  std::array<int, 10> counts{};
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const auto label = digits.labels[i];
    for (std::size_t k = 0; k < Digits::imageSize; ++k) sums.at(label)[k] += digits.image(i)[k];
    ++counts.at(label);
  }
  for (std::size_t label = 0; label < 10; ++label)
    for (auto& sum : sums[label]) sum /= counts[label];
  return sums;
}

std::size_t nearest(const std::array<Average, 10>& candidates, Digits::Image image) {
  std::size_t best = 0;
  int least = std::numeric_limits<int>::max();
  for (std::size_t label = 0; label < 10; ++label) {
    int distance = 0;
    for (std::size_t k = 0; k < Digits::imageSize; ++k) {
      const int difference = candidates[label][k] - image[k];
      distance += difference * difference;
    }
    if (distance < least) {
      least = distance;
      best = label;
    }
  }
  return best;
}

TEST_CASE("A seed gives the same digits everywhere") {
  const auto digits = drawDigits(1'000, 1);
  CHECK(digits.size() == 1'000);
  CHECK(hash(digits.labels) == 5'595'589'272'486'078'007U);
  CHECK(hash(digits.pixels) == 11'297'532'948'631'757'607U);
  CHECK(hash(drawDigits(1'000, 2).pixels) != hash(digits.pixels));
}

TEST_CASE("No digits can be drawn too") { CHECK(drawDigits(0, 1).size() == 0); }

TEST_CASE("Every class is drawn about equally often, with as much ink as handwriting") {
  const auto digits = drawDigits(10'000, 3);
  std::array<int, 10> counts{};
  for (const auto label : digits.labels) ++counts.at(label);
  for (const int count : counts) CHECK(count == doctest::Approx(1'000).epsilon(0.15));
  double ink = 0;
  for (const auto pixel : digits.pixels) ink += pixel;
  CHECK(ink / static_cast<double>(digits.pixels.size()) == doctest::Approx(33).epsilon(0.2));
}

TEST_CASE("Averages of some drawn digits classify other drawn digits") {
  const auto learnt = averages(drawDigits(3'000, 4));
  const auto test = drawDigits(1'000, 5);
  int right = 0;
  for (std::size_t i = 0; i < test.size(); ++i)
    right += nearest(learnt, test.image(i)) == test.labels[i] ? 1 : 0;
  CHECK(right > 800);
}

}  // namespace
}  // namespace tapestry::examples
