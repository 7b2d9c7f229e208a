#include <tapestry/tensor/position.hpp>

#include <doctest/doctest.h>

using tapestry::positionOf;

TEST_CASE("an index counts from the front, and a negative one from the end") {
  static_assert(positionOf(0, 3) == 0);
  static_assert(positionOf(2, 3) == 2);
  static_assert(positionOf(-1, 3) == 2);
  CHECK(positionOf(-3, 3) == 0);
}

TEST_CASE("an index beyond either end has no position") {
  CHECK_FALSE(positionOf(3, 3));
  CHECK_FALSE(positionOf(-4, 3));
  CHECK_FALSE(positionOf(0, 0));
}
