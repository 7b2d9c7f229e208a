#include <tapestry/deeplearning/operations/layout/scatter.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("scatter adds slices to zeros where indices say") {
  const Tensor<float> x({3, 2}, {1, 2, 3, 4, 5, 6});
  CHECK(scatter(x, {2, 0, 2}, 0, 4) == Tensor<float>({4, 2}, {3, 4, 0, 0, 6, 8, 0, 0}));
  CHECK(valueOf(scatter(TensorLayer(x), {-1, 0}, 1, 3)) ==
        Tensor<float>({3, 3}, {2, 0, 1, 4, 0, 3, 6, 0, 5}));
}

TEST_CASE("the gradients of scatter are the central differences") {
  checkShapes([](const auto& x) { return scatter(x, {1, 0, -1}, 0, 2); }, {{3}, {3, 2}, {3, 0}});
  checkShapes(
      [](const auto& x) {
        return scatter(x, Indices({2, 2}, {1, 0, -1, 1}), -2, 3);
      },
      {{2, 2, 3}, {2, 2, 2, 1}, {1, 2, 2, 2, 2}});
  checkShapes([](const auto& x) { return scatter(x, Indices(Shape(), {1}), 1, 2); }, {{2, 3}, {2}});
}

TEST_CASE("the gradients of scatter are the central differences, for any shapes and indices") {
  checkDraws([](Random& random) {
    const Shape result = drawShape(random, 1, 4);
    const std::ptrdiff_t axis = drawAxis(random, result.rank());
    const std::size_t at = resolveAxis(axis, result, "scatter");
    const Indices indices = drawIndices(random, result[at]);
    std::vector<std::size_t> extents(result.begin(), result.begin() + at);
    extents.insert(extents.end(), indices.shape().begin(), indices.shape().end());
    extents.insert(extents.end(), result.begin() + at + 1, result.end());
    return DrawnOperation{
        [=, extent = result[at]](const Operands& of) { return scatter(of[0], indices, axis, extent); },
        {random.tensor<double>(Shape(extents))}};
  });
}

TEST_CASE("scatter refuses a shape that does not fit, as soon as it is known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2, 3}));
  const std::string index =
      "tapestry::scatter: index out of range, got -5 along axis 0 of extent 4, expected indices below the "
      "extent, or down to minus it";
  CHECK(errorOf([&] { return scatter(x, {1, -5}, 0, 4); }) == index);
  CHECK(evaluationError(scatter(lateLayer(x), {1, -5}, 0, 4)) == index);
  const std::string shape =
      "tapestry::scatter: the indices' axes are not there, got [2, 3] for indices [3] at axis 0, expected "
      "the indices' extents from that axis on";
  CHECK(errorOf([&] { return scatter(x, {0, 1, 2}, 0, 4); }) == shape);
  CHECK(evaluationError(scatter(lateLayer(x), {0, 1, 2}, 0, 4)) == shape);
}
