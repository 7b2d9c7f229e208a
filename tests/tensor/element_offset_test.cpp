#include <tapestry/tensor/element_offset.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include <tapestry/tensor/shape_error.hpp>

using namespace tapestry;

namespace {

std::size_t offset(const Shape& shape, const std::vector<std::ptrdiff_t>& indices) {
  return elementOffset("at", shape, indices);
}

}  // namespace

TEST_CASE("elements lie in row-major order, and negative indices count from the end") {
  CHECK(offset({2, 3}, {1, 2}) == 5);
  CHECK(offset({2, 3}, {-1, 0}) == 3);
  CHECK(offset({4, 5, 6}, {1, 2, 3}) == 1 * 30 + 2 * 6 + 3);
  CHECK(offset({}, {}) == 0);
}

TEST_CASE("the error of a wrong index names the operation, the indices and the shape") {
  CHECK_THROWS_WITH_AS(offset({2, 3}, {1}),
                       "tapestry::at: wrong number of indices, got (1), expected 2 for [2, 3]", ShapeError);
  CHECK_THROWS_WITH_AS(
      offset({2, 3}, {0, 3}),
      "tapestry::at: index out of range, got (0, 3), expected indices below [2, 3], or down to minus those",
      std::out_of_range);
}
