#include <tapestry/deeplearning/operations/layout/permute.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("permute puts the axes in another order") {
  const Tensor<float> x({1, 2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(permute(x, {2, 0, 1}) == Tensor<float>({3, 1, 2}, {1, 4, 2, 5, 3, 6}));
  CHECK(valueOf(permute(TensorLayer(x), {0, -1, 1})) == Tensor<float>({1, 3, 2}, {1, 4, 2, 5, 3, 6}));
}

TEST_CASE("the gradients of permute are the central differences") {
  checkShapes([](const auto& x) { return permute(x, {1, 2, 0}); }, {{2, 3, 4}, {1, 3, 2}, {2, 0, 3}});
  checkShapes([](const auto& x) { return permute(x, {-1, 1, 0, -2}); }, {{2, 1, 3, 2}});
  checkShapes([](const auto& x) { return permute(x, {4, 0, 3, 1, 2}); }, {{2, 1, 3, 1, 2}});
  checkShapes([](const auto& x) { return permute(x, {}); }, {{}});
}

TEST_CASE("permute wants each axis once, and says so as soon as it can know") {
  const char* const message =
      "tapestry::permute: axis chosen twice, got (0, 0) of [2, 3], expected each axis once";
  const DoubleTensorWeight x(Tensor<double>::zeros({2, 3}));
  CHECK_THROWS_WITH_AS(permute(x, {0, 0}), message, ShapeError);
  CHECK(evaluationError(permute(lateLayer(x), {0, 0})) == message);
}

TEST_CASE("the gradients of permute are the central differences, for any order of four axes") {
  checkDraws([](Random& random) {
    std::ptrdiff_t axes[] = {0, 1, 2, 3};
    for (std::size_t i = 3; i > 0; --i) std::swap(axes[i], axes[random.below(i + 1)]);
    return DrawnOperation{[=](const Operands& of) {
                            return permute(of[0], {axes[0], axes[1] - 4, axes[2], axes[3] - 4});
                          },
                          {random.tensor<double>(drawShape(random, 4, 4))}};
  });
}
