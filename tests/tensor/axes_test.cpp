#include <tapestry/tensor/axes.hpp>

#include <doctest/doctest.h>

#include <tapestry/tensor/shape_error.hpp>

using tapestry::Axes;
using tapestry::Shape;
using tapestry::ShapeError;

TEST_CASE("axes count from the first, or from the last if they are negative") {
  const Shape shape{2, 3, 4};
  CHECK(Axes{0, 2}.resolve(shape, "sum").to_ulong() == 0b101);
  CHECK(Axes{-1}.resolve(shape, "sum").to_ulong() == 0b100);
  CHECK(Axes{-3, 1}.resolve(shape, "sum").to_ulong() == 0b011);
  CHECK(Axes{}.resolve(shape, "sum").none());
}

TEST_CASE("an axis that the shape does not have is refused") {
  CHECK_THROWS_WITH_AS(
      Axes{2}.resolve({5, 6}, "sum"),
      "tapestry::sum: axis out of range, got axis 2 of [5, 6], expected different axes in -2 .. 1",
      ShapeError);
  CHECK_THROWS_AS(Axes{-3}.resolve({5, 6}, "sum"), ShapeError);
  CHECK_THROWS_WITH_AS(
      Axes{0}.resolve({}, "sum"),
      "tapestry::sum: axis out of range, got axis 0 of [], expected none, for a scalar has no axes",
      ShapeError);
}

TEST_CASE("an axis that is chosen twice is refused") {
  CHECK_THROWS_WITH_AS(
      (Axes{1, -1}.resolve({5, 6}, "mean")),
      "tapestry::mean: axis chosen twice, got axis -1 of [5, 6], expected different axes in -2 .. 1",
      ShapeError);
}

TEST_CASE("there are at most as many axes as a shape can have") {
  CHECK_THROWS_AS((Axes{0, 1, 2, 3, 4, 5, 6, 7, 8}), ShapeError);
}

TEST_CASE("all axes are those of whichever shape") {
  CHECK(Axes::all().resolve({2, 3, 4}, "sum").to_ulong() == 0b111);
  CHECK(Axes::all().resolve({}, "sum").none());
}
