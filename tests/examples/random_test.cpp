#include "support/random.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

namespace tapestry::examples {
namespace {

TEST_CASE("A seed gives the same numbers everywhere") {
  Random random(1);
  CHECK(random.below(1'000'000) == 311'528);
  CHECK(random.below(1'000'000) == 432'462);
  CHECK(random.between(-5, 5) == -5);
}

TEST_CASE("Numbers stay in their range and reach both of its ends") {
  Random random(2);
  std::array<int, 7> counts{};
  for (int i = 0; i < 7'000; ++i) ++counts.at(static_cast<std::size_t>(random.between(-3, 3) + 3));
  for (const int count : counts) CHECK(count == doctest::Approx(1'000).epsilon(0.1));
}

TEST_CASE("Two numbers of one draw are spread over their ranges, and know nothing of each other") {
  Random random(3);
  std::array<std::array<int, 4>, 3> counts{};
  for (int i = 0; i < 120'000; ++i) {
    const auto [first, second] = random.belowEach(3, 4);
    ++counts.at(first).at(second);
  }
  for (const auto& row : counts)
    for (const int count : row) CHECK(count == doctest::Approx(10'000).epsilon(0.05));
}

TEST_CASE("A shuffle gives every order of the same items") {
  Random random(3);
  std::array<int, 6> counts{};
  for (int i = 0; i < 6'000; ++i) {
    std::vector<int> items{0, 1, 2};
    random.shuffle<int>(items);
    CHECK(items[0] + items[1] + items[2] == 3);
    ++counts.at(static_cast<std::size_t>(2 * items[0] + (items[1] > items[2] ? 1 : 0)));
  }
  for (const int count : counts) CHECK(count == doctest::Approx(1'000).epsilon(0.1));
}

}  // namespace
}  // namespace tapestry::examples
