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
