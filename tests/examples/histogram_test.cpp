#include "support/histogram.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <thread>

namespace tapestry::examples {
namespace {

TEST_CASE("Choices are counted and charted") {
  Histogram histogram(3);
  for (int i = 0; i < 3; ++i) histogram.add(0);
  histogram.add(1);
  CHECK(histogram.count(0) == 3);
  CHECK(histogram.total() == 4);
  CHECK(histogram.chart("expert") ==
        "expert 0       3   75.0%  ██████████████████████████████\n"
        "expert 1       1   25.0%  ██████████\n"
        "expert 2       0    0.0%\n");
}

TEST_CASE("A histogram of nothing has no bars") {
  CHECK(Histogram(1).chart("expert") == "expert 0       0    0.0%\n");
}

TEST_CASE("A number that is not one of the choices is refused") {
  Histogram histogram(2);
  CHECK_THROWS_AS(histogram.add(2), std::out_of_range);
}

TEST_CASE("Threads that count at once lose no choice") {
  Histogram histogram(2);
  const auto count = [&histogram] {
    for (std::size_t i = 0; i < 10'000; ++i) histogram.add(i % 2);
  };
  std::thread other(count);
  count();
  other.join();
  CHECK(histogram.count(0) == 10'000);
  CHECK(histogram.count(1) == 10'000);
}

}  // namespace
}  // namespace tapestry::examples
