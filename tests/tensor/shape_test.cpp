#include <tapestry/tensor/shape.hpp>

#include <doctest/doctest.h>

#include <vector>

#include <tapestry/tensor/shape_error.hpp>

using tapestry::broadcast;
using tapestry::Shape;
using tapestry::ShapeError;
using tapestry::toString;

TEST_CASE("a shape knows its rank, its size and its extents") {
  const Shape shape{2, 3, 4};
  CHECK(shape.rank() == 3);
  CHECK(shape.size() == 24);
  CHECK(shape[0] == 2);
  CHECK(shape[2] == 4);
  CHECK(std::vector<std::size_t>(shape.begin(), shape.end()) == std::vector<std::size_t>{2, 3, 4});
}

TEST_CASE("the shape of a scalar has no axes and one element") {
  CHECK(Shape{}.rank() == 0);
  CHECK(Shape{}.size() == 1);
  CHECK(toString(Shape{}) == "[]");
}

TEST_CASE("an extent may be zero, and then there are no elements") {
  CHECK(Shape{3, 0, 2}.size() == 0);
  CHECK(toString(Shape{3, 0, 2}) == "[3, 0, 2]");
}

TEST_CASE("shapes are equal if their ranks and extents are") {
  CHECK(Shape{2, 3} == Shape{2, 3});
  CHECK(Shape{2, 3} != Shape{3, 2});
  CHECK(Shape{2, 3} != Shape{2, 3, 1});
  CHECK(Shape{} != Shape{1});
}

TEST_CASE("a shape has at most eight axes") {
  CHECK(Shape{1, 2, 1, 2, 1, 2, 1, 2}.rank() == 8);
  CHECK_THROWS_WITH_AS((Shape{1, 1, 1, 1, 1, 1, 1, 1, 1}),
                       "tapestry::Shape: too many axes, got [1, 1, 1, 1, 1, 1, 1, 1, 1], expected at most 8",
                       ShapeError);
}

TEST_CASE("a shape that memory cannot hold is refused, even if an extent of zero would hide it") {
  const std::size_t large = std::size_t{1} << 40;
  CHECK_THROWS_WITH_AS(
      (Shape{large, large}),
      "tapestry::Shape: too large, got [1099511627776, 1099511627776], expected a size that memory "
      "can hold",
      ShapeError);
  CHECK_THROWS_AS((Shape{large, large, 0}), ShapeError);
}

TEST_CASE("broadcasting aligns at the last axis and stretches extents of one") {
  CHECK(broadcast({2, 3}, {2, 3}, "add") == Shape{2, 3});
  CHECK(broadcast({2, 3}, {3}, "add") == Shape{2, 3});
  CHECK(broadcast({3}, {2, 3}, "add") == Shape{2, 3});
  CHECK(broadcast({2, 1}, {1, 3}, "add") == Shape{2, 3});
  CHECK(broadcast({}, {4, 5}, "add") == Shape{4, 5});
  CHECK(broadcast({}, {}, "add") == Shape{});
  CHECK(broadcast({0, 1}, {1, 3}, "add") == Shape{0, 3});
  CHECK(broadcast({1}, {0}, "add") == Shape{0});
}

TEST_CASE("shapes that do not broadcast are named together with the operation") {
  CHECK_THROWS_WITH_AS(
      broadcast({2, 3}, {4}, "add"),
      "tapestry::add: shapes do not broadcast, got [2, 3] and [4], expected extents that are equal "
      "or 1, aligned at the last axis",
      ShapeError);
  CHECK_THROWS_AS(broadcast({4}, {2, 3}, "add"), ShapeError);
  CHECK_THROWS_AS(broadcast({0}, {2}, "add"), ShapeError);
}
