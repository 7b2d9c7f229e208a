#include "support/tally.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

namespace tapestry::examples {
namespace {

TEST_CASE("Right answers are counted class by class") {
  Tally tally(3);
  for (int i = 0; i < 7; ++i) tally.add(0, 0);
  tally.add(0, 1);
  tally.add(2, 2);
  tally.add(2, 0);
  CHECK(tally.accuracy() == doctest::Approx(0.8));
  CHECK(tally.table("digit") ==
        "digit   right   total  accuracy\n"
        "    0       7       8    87.50%\n"
        "    1       0       0         -\n"
        "    2       1       2    50.00%\n"
        "total       8      10    80.00%\n");
}

TEST_CASE("A tally of nothing has no accuracy to show") {
  const Tally tally(1);
  CHECK(tally.accuracy() == 0);
  CHECK(tally.table("class").ends_with("total       0       0         -\n"));
}

TEST_CASE("A label that is not one of the classes is refused") {
  Tally tally(10);
  CHECK_THROWS_AS(tally.add(10, 0), std::out_of_range);
  tally.add(0, 10);
  CHECK(tally.table("class").ends_with("total       0       1     0.00%\n"));
}

}  // namespace
}  // namespace tapestry::examples
