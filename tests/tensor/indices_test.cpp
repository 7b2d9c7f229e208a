#include <tapestry/tensor/indices.hpp>

#include <doctest/doctest.h>

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
