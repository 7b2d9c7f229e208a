#include <tapestry/deeplearning/operations/stack.hpp>

#include "deeplearning/operations/support.hpp"
#include "tapestry/deeplearning/operations/negate.hpp"

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
