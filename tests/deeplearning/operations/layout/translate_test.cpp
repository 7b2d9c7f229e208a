#include <tapestry/deeplearning/operations/layout/translate.hpp>

#include <limits>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("translate moves a tensor along its axes, and zeros come in") {
  const Tensor<float> x({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(translate(x, {1, -1}) == Tensor<float>({2, 3}, {0, 0, 0, 2, 3, 0}));
  CHECK(translate(x, {0, 2}) == Tensor<float>({2, 3}, {0, 0, 1, 0, 0, 4}));
  CHECK(valueOf(translate(TensorLayer(x), {-1})) == Tensor<float>({2, 3}, {4, 5, 6, 0, 0, 0}));
  CHECK(translate(x, {}) == x);
}

TEST_CASE("a tensor that is moved beyond its extents is all zeros") {
  const auto x = Tensor<double>::full({2, 3}, 1);
  for (const std::ptrdiff_t offset :
       {std::ptrdiff_t(2), std::ptrdiff_t(-2), std::ptrdiff_t(9), std::numeric_limits<std::ptrdiff_t>::min(),
        std::numeric_limits<std::ptrdiff_t>::max()})
    CHECK(translate(x, {offset}) == Tensor<double>::zeros({2, 3}));
}

TEST_CASE("the gradients of translate are the central differences") {
  checkShapes(
      [](const auto& x) {
        return translate(x, {1, -1});
      },
      {{2, 3}, {1, 4, 2}, {3, 1}, {2, 0}, {2, 2, 1, 2, 1}});
  checkShapes([](const auto& x) { return translate(x, {}); }, {{}, {2}});
}

TEST_CASE("the gradients of translate are the central differences, for any shapes and offsets") {
  checkDraws([](Random& random) {
    const Shape shape = drawShape(random);
    std::vector<std::ptrdiff_t> offsets(random.below(shape.rank() + 1));
    for (std::ptrdiff_t& offset : offsets) offset = static_cast<std::ptrdiff_t>(random.below(7)) - 3;
    return DrawnOperation{[=](const Operands& of) { return translate(of[0], offsets); },
                          {random.tensor<double>(shape)}};
  });
}

TEST_CASE("after training through translate, every weight that stays inside is less by the rate") {
  const TensorWeight weight(Tensor<float>::zeros({2, 2}), sgd(1));
  const auto before = weight.data();
  train(translate(weight, {1, 0})).blockingAwait();
  CHECK(weight.data() == Tensor<float>({2, 2}, {-1, -1, 0, 0}));
  CHECK(before == Tensor<float>::zeros({2, 2}));
}

TEST_CASE("translate refuses more offsets than axes, as soon as the shape is known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2}));
  const char* const message =
      "tapestry::translate: too many offsets, got 2 of [2], expected at most one for each axis";
  CHECK_THROWS_WITH_AS(translate(x, {0, 1}), message, ShapeError);
  CHECK(evaluationError(translate(lateLayer(x), {0, 1})) == message);
}
