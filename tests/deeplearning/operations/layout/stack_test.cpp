#include <tapestry/deeplearning/operations/layout/stack.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"
#include "tapestry/deeplearning/operations/arithmetic/negate.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("stack puts tensors side by side along a new axis") {
  const Tensor<float> x({2}, {1, 2});
  const Tensor<float> y({2}, {3, 4});
  CHECK(stack(std::vector{x, y}) == Tensor<float>({2, 2}, {1, 2, 3, 4}));
  CHECK(valueOf(stack(std::vector{TensorLayer(x), TensorLayer(y)}, -1)) ==
        Tensor<float>({2, 2}, {1, 3, 2, 4}));
  CHECK_THROWS_AS(stack(std::vector{x, Tensor<float>::zeros({3})}), ShapeError);
}

TEST_CASE("the gradients of stack are the central differences") {
  const Tensor<double> x({2, 2}, {1, 2, 3, 4});
  checkGradients([](const auto& a, const auto& b) { return stack(std::vector{-a, -b}, 1); }, x, x);
  checkGradients([](const auto& a, const auto& b) { return stack(std::vector{-a, lateLayer(b)}, -1); }, x, x);
}

TEST_CASE("the gradients of stack are the central differences, for any shapes") {
  checkDraws([](Random& random) {
    const Shape shape = drawShape(random, 0, 4);
    const std::ptrdiff_t axis = drawAxis(random, shape.rank() + 1);
    std::vector<Tensor<double>> parts;
    for (std::size_t i = 0, count = 1 + random.below(3); i < count; ++i)
      parts.push_back(random.tensor<double>(shape));
    return DrawnOperation{[=](const Operands& of) { return stack(of, axis); }, parts};
  });
}

TEST_CASE("shapes and axes that do not fit are refused by stack, as soon as they are known") {
  const TensorWeight x(Tensor<float>::zeros({2})), y(Tensor<float>::zeros({3}));
  const char* const shapes =
      "tapestry::stack: the shapes differ beside the axis, got [1, 2] and [1, 3] along axis 0, expected "
      "equal extents of all other axes";
  CHECK_THROWS_WITH_AS(stack(std::vector{x, y}), shapes, ShapeError);
  CHECK_THROWS_WITH_AS(stack(std::vector{x.data(), y.data()}), shapes, ShapeError);
  CHECK(evaluationError(stack(std::vector{lateLayer(x), lateLayer(y)})) == shapes);
  const char* const axis = "tapestry::stack: axis out of range, got axis 2 for [2], expected -2 .. 1";
  CHECK_THROWS_WITH_AS(stack(std::vector{x}, 2), axis, ShapeError);
  CHECK(evaluationError(stack(std::vector{lateLayer(x)}, 2)) == axis);
  CHECK_THROWS_WITH_AS(stack(std::vector<TensorLayer>()),
                       "tapestry::stack: the range is empty, got 0 tensors, expected at least 1",
                       std::invalid_argument);
}
