#include <tapestry/deeplearning/operations/layout/broadcast_to.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("broadcastTo repeats along new and stretched axes") {
  const Tensor<double> x({2, 1}, {1, 2});
  CHECK(broadcastTo(x, {2, 2, 2}) == Tensor<double>({2, 2, 2}, {1, 1, 2, 2, 1, 1, 2, 2}));
}

TEST_CASE("the gradients of broadcastTo are the central differences") {
  checkShapes(
      [](const auto& x) {
        return broadcastTo(x, {2, 3, 2});
      },
      {{}, {2}, {3, 1}, {2, 1, 2}, {2, 3, 2}});
  checkShapes([](const auto& x) { return broadcastTo(x, {1, 2, 2, 1, 3}); }, {{1}, {2, 1, 1}, {2, 2, 1, 3}});
  checkShapes([](const auto& x) { return broadcastTo(x, {0, 2}); }, {{2}, {1, 1}});
}

TEST_CASE("broadcastTo refuses a shape that does not broadcast, as soon as it is known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2}));
  const char* const message =
      "tapestry::broadcastTo: shapes do not broadcast, got [2] to [3], expected extents that are equal or 1 "
      "in "
      "the first, aligned at the last axis";
  CHECK_THROWS_WITH_AS(broadcastTo(x, {3}), message, ShapeError);
  CHECK(evaluationError(broadcastTo(lateLayer(x), {3})) == message);
}

TEST_CASE("the gradients of broadcastTo are the central differences, for any shapes") {
  checkDraws([](Random& random) {
    const Shape shape = drawShape(random);
    return DrawnOperation{[=](const Operands& of) { return broadcastTo(of[0], shape); },
                          {random.tensor<double>(random.stretching(shape))}};
  });
}
