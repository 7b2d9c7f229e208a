#include <tapestry/tensor/gathered_shape.hpp>

#include <doctest/doctest.h>

#include <stdexcept>

using namespace tapestry;

TEST_CASE("rows at indices of some shape have that shape and then the shape of a row") {
  CHECK(gatheredShape("gather", {3, 0}, {4, 5, 6}) == Shape{2, 5, 6});
  CHECK(gatheredShape("gather", Indices({2, 2}, {0, 1, 2, 3}), {4, 5}) == Shape{2, 2, 5});
  CHECK(gatheredShape("gather", Indices({0}, {}), {0}) == Shape{0});
}

TEST_CASE("the error of a row that a table does not have names the operation and the row") {
  CHECK_THROWS_WITH_AS(
      gatheredShape("gather", {0, 4}, {4, 2}),
      "tapestry::gather: a row is out of range, got 4 of 4 rows, expected at least 0 and less "
      "than that",
      std::out_of_range);
  CHECK_THROWS_AS(gatheredShape("gather", {-1}, {4, 2}), std::out_of_range);
}
