#include <tapestry/tensor/indices.hpp>

#include <doctest/doctest.h>

#include <stdexcept>

#include <tapestry/tensor/shape_error.hpp>

using namespace tapestry;

TEST_CASE("indices are a vector, or have the shape that is given") {
  const Indices vector{4, -1, 2};
  CHECK(vector.shape() == Shape{3});
  CHECK(vector.values()[1] == -1);
  const Indices matrix({3, 1}, {4, -1, 2});
  CHECK(matrix.shape() == Shape{3, 1});
  CHECK(matrix != vector);
  CHECK(matrix == Indices({3, 1}, {4, -1, 2}));
  CHECK(Indices(Shape(), {5}).size() == 1);
}

TEST_CASE("copies of indices see the same values, also after a move") {
  Indices one{1, 2};
  const Indices copy = one;
  const Indices moved = std::move(one);
  CHECK(copy.values().data() == moved.values().data());
  CHECK(one == copy);
}

TEST_CASE("indices of another number than their shape's size are refused") {
  CHECK_THROWS_WITH_AS(Indices({2, 2}, {1, 2, 3}),
                       "tapestry::Indices: the number of values differs from the shape's size, got 3 values "
                       "for [2, 2], expected 4",
                       ShapeError);
}

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
