#include <tapestry/deeplearning/operations/layout/split.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"
#include "tapestry/deeplearning/operations/layout/concat.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("split gives equal parts, one after the other") {
  const Tensor<float> x({2, 4}, {0, 1, 2, 3, 4, 5, 6, 7});
  const auto parts = split(x, 2, 2, 1);
  REQUIRE(parts.size() == 2);
  CHECK(parts[0] == Tensor<float>({2, 2}, {0, 1, 4, 5}));
  CHECK(parts[1] == Tensor<float>({2, 2}, {2, 3, 6, 7}));
}

TEST_CASE("the deltas of the parts meet again") {
  checkShapes([](const auto& x) { return concat(split(x, 3, 2, 1), 0); }, {{2, 6}, {1, 6, 2}});
  checkShapes([](const auto& x) { return split(x, 3, 2)[1]; }, {{6}, {6, 2}});
}

TEST_CASE("the gradients of the parts of any shape are the central differences") {
  checkDraws([](Random& random) {
    const Shape shape = drawShape(random, 1, 4);
    const std::size_t axis = random.below(shape.rank());
    const std::size_t count = 1 + random.below(3);
    std::vector<std::size_t> extents(shape.begin(), shape.end());
    extents[axis] *= count;
    return DrawnOperation{[=](const Operands& of) {
                            const auto parts = split(of[0], count, shape[axis], axis);
                            return parts.front() * parts.back();
                          },
                          {random.tensor<double>(Shape(extents))}};
  });
}

TEST_CASE("split along an axis that there is not is refused") {
  const Tensor<float> x({2, 4}, {0, 1, 2, 3, 4, 5, 6, 7});
  CHECK_THROWS_WITH_AS(split(x, 2, 2, -1),
                       "tapestry::split: the axis is out of range, got -1, expected 0 to 7", ShapeError);
  CHECK_THROWS_AS(split(x, 2, 2, 8), ShapeError);
  CHECK_THROWS_AS(split(x, 2, 2, 2), ShapeError);
}
