#include <tapestry/deeplearning/operations/layout/transpose.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("transpose swaps the last two axes") {
  const Tensor<float> x({2, 2, 1}, {1, 2, 3, 4});
  CHECK(transpose(x) == Tensor<float>({2, 1, 2}, {1, 2, 3, 4}));
  CHECK(valueOf(transpose(TensorLayer(Tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6})))) ==
        Tensor<float>({3, 2}, {1, 4, 2, 5, 3, 6}));
}

TEST_CASE("the gradients of transpose are the central differences") {
  checkShapes([](const auto& x) { return transpose(x); },
              {{2, 3}, {1, 4}, {2, 3, 2}, {1, 2, 1, 2, 3}, {0, 2}});
}

TEST_CASE("transpose wants two axes") {
  const DoubleTensorWeight x(Tensor<double>::zeros({3}));
  const char* const message = "tapestry::transpose: fewer than two axes, got [3], expected [..., M, N]";
  CHECK_THROWS_WITH_AS(transpose(x), message, ShapeError);
  CHECK(evaluationError(transpose(lateLayer(x))) == message);
}

TEST_CASE("the gradients of transpose are the central differences, for any shapes") {
  checkDraws([](Random& random) {
    return DrawnOperation{[](const Operands& of) { return transpose(of[0]); },
                          {random.tensor<double>(drawShape(random, 2))}};
  });
}
