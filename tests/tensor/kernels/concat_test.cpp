#include <tapestry/tensor/kernels/concat.hpp>

#include <vector>

#include "tapestry/tensor/shape_error.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;

namespace {

Shape whole(std::vector<Shape> parts, std::ptrdiff_t axis) {
  return kernels::concatShape(parts, axis, "test");
}

}  // namespace

TEST_CASE("extents add up along the axis and are equal beside it") {
  CHECK(whole({{2, 3}, {4, 3}}, 0) == Shape{6, 3});
  CHECK(whole({{2, 3}, {2, 0}, {2, 1}}, -1) == Shape{2, 4});
  CHECK_THROWS_WITH_AS(
      whole({{2, 3}, {2, 4}}, 0),
      "tapestry::test: the shapes differ beside the axis, got [2, 3] and [2, 4] along axis 0, "
      "expected equal extents of all other axes",
      ShapeError);
  CHECK_THROWS_AS(whole({{2, 3}, {2}}, 0), ShapeError);
  CHECK_THROWS_AS(whole({Shape{}}, 0), ShapeError);
}

TEST_CASE("partOf views a part at its place in the whole") {
  const Tensor<float> x({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(kernels::read(x, kernels::partOf(x.shape(), -1, 1, 2)) == Tensor<float>({2, 2}, {2, 3, 5, 6}));
  CHECK(kernels::extentOf(x.shape(), -1) == 3);
}

TEST_CASE("the parts of a whole are its parts again") {
  const Tensor<float> x({2, 1}, {1, 4}), y({2, 2}, {2, 3, 5, 6});
  CHECK(kernels::concat(std::vector{x, y}, -1) == Tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6}));
  CHECK(kernels::concat(std::vector{x, x}, 0) == Tensor<float>({4, 1}, {1, 4, 1, 4}));
  CHECK_THROWS_AS(kernels::concat(std::vector{x, y}, 0), ShapeError);
}
