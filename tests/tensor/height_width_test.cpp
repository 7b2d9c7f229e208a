#include <tapestry/tensor/height_width.hpp>

#include <doctest/doctest.h>

using tapestry::HeightWidth;

namespace {

constexpr std::size_t areaOf(HeightWidth extents) { return extents.height * extents.width; }

}  // namespace

TEST_CASE("one number is a height and a width") {
  CHECK(areaOf(3) == 9);
  CHECK(areaOf({2, 3}) == 6);
  CHECK(HeightWidth(3) == HeightWidth(3, 3));
  CHECK(HeightWidth(2, 3) != HeightWidth(3, 2));
}
