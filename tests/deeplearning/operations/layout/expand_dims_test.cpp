#include <tapestry/deeplearning/operations/layout/expand_dims.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("expandDims inserts an axis of extent 1") {
  const Tensor<float> x({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(expandDims(x, 0).shape() == Shape{1, 2, 3});
  CHECK(expandDims(x, -1).shape() == Shape{2, 3, 1});
  CHECK(valueOf(expandDims(TensorLayer(x), 1)) == Tensor<float>({2, 1, 3}, {1, 2, 3, 4, 5, 6}));
}

TEST_CASE("the gradients of expandDims are the central differences") {
  checkShapes([](const auto& x) { return expandDims(x, -1); }, {{}, {3}, {2, 0}, {2, 1, 1, 2, 2}});
}

TEST_CASE("expandDims refuses an axis out of range, as soon as the shape is known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({3}));
  const char* const message = "tapestry::expandDims: axis out of range, got axis 2 for [3], expected -2 .. 1";
  CHECK_THROWS_WITH_AS(expandDims(x, 2), message, ShapeError);
  CHECK(evaluationError(expandDims(lateLayer(x), 2)) == message);
}

TEST_CASE("the gradients of expandDims are the central differences, for any shapes") {
  checkDraws([](Random& random) {
    const Shape shape = drawShape(random);
    const std::ptrdiff_t axis = drawAxis(random, shape.rank() + 1);
    return DrawnOperation{[=](const Operands& of) { return expandDims(of[0], axis); },
                          {random.tensor<double>(shape)}};
  });
}
