#include <tapestry/deeplearning/operations/layout/gather.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("gather puts the slices that indices choose in place of the axis") {
  const Tensor<float> x({3, 2}, {1, 2, 3, 4, 5, 6});
  CHECK(gather(x, {2, 0, 2}) == Tensor<float>({3, 2}, {5, 6, 1, 2, 5, 6}));
  CHECK(valueOf(gather(TensorWeight(x), {-1}, 1)) == Tensor<float>({3, 1}, {2, 4, 6}));
  CHECK(valueOf(gather(TensorLayer(x), Indices({1, 2}, {1, 0}))) == Tensor<float>({1, 2, 2}, {3, 4, 1, 2}));
}

TEST_CASE("gather trains the rows that were chosen, once for each time") {
  const TensorWeight rows(Tensor<float>::zeros({3, 2}), sgd(1));
  train(gather(rows, {2, 0, 2})).blockingAwait();
  CHECK(rows.data() == Tensor<float>({3, 2}, {-1, -1, 0, 0, -2, -2}));
}

TEST_CASE("the gradients of gather are the central differences") {
  checkShapes([](const auto& x) { return gather(x, {1, 0, -1, 1}); }, {{2}, {2, 3}, {3, 0}, {2, 1, 2, 1, 2}});
  checkShapes(
      [](const auto& x) {
        return gather(x, Indices({2, 2}, {1, 0, -1, 1}), -2);
      },
      {{2, 3}, {2, 3, 1}, {2, 1, 2, 3}});
  checkShapes([](const auto& x) { return gather(x, Indices(Shape(), {1}), 1); }, {{2, 3}});
  checkShapes([](const auto& x) { return gather(x, Indices({0}, {})); }, {{2, 3}, {0}});
}

TEST_CASE("the gradients of gather are the central differences, for any shapes and indices") {
  checkDraws([](Random& random) {
    const Shape shape = drawShape(random, 1, 4);
    const std::ptrdiff_t axis = drawAxis(random, shape.rank());
    const Indices indices = drawIndices(random, shape[resolveAxis(axis, shape, "gather")]);
    return DrawnOperation{[=](const Operands& of) { return gather(of[0], indices, axis); },
                          {random.tensor<double>(shape)}};
  });
}

TEST_CASE("gather refuses an axis or an index out of range, as soon as the shape is known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2, 3}));
  const std::string index =
      "tapestry::gather: index out of range, got 2 along axis 0 of extent 2, expected indices below the "
      "extent, or down to minus it";
  CHECK(errorOf([&] { return gather(x, {1, 2}); }) == index);
  CHECK(evaluationError(gather(lateLayer(x), {1, 2})) == index);
  const std::string axis =
      "tapestry::gather: axis out of range, got axis 2 of [2, 3], expected different axes in -2 .. 1";
  CHECK(errorOf([&] { return gather(x, {0}, 2); }) == axis);
  CHECK(evaluationError(gather(lateLayer(x), {0}, 2)) == axis);
}
