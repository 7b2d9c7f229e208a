#include <tapestry/deeplearning/operations/layout/element.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry;
using namespace tapestry::test;

static_assert(std::same_as<decltype(element(TensorWeight({}), {0})), FloatLayer>);
static_assert(std::same_as<decltype(DoubleTensorLayer(Tensor<double>())(0)), DoubleLayer>);
static_assert(!std::invocable<DoubleLayer, int>);
static_assert(!std::invocable<DoubleTensorLayer>);

TEST_CASE("element selects one element, of a literal at once") {
  const Tensor<float> x({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(element(x, {1, 0}) == 4);
  CHECK(element(x, {-1, -3}) == 4);
  CHECK(valueOf(TensorLayer(x)(0, -1)) == 3);
  CHECK(valueOf(TensorWeight(x)(std::size_t(1), 2)) == 6);
  CHECK(element(Tensor<float>::scalar(7), {}) == 7);
}

TEST_CASE("selecting the element (0, 2) trains only that element") {
  const TensorWeight weight(Tensor<float>::full({2, 3}, 1), sgd(0.5));
  CHECK(train(weight(0, 2)).blockingAwait() == 1);
  CHECK(weight.data() == Tensor<float>({2, 3}, {1, 1, 0.5, 1, 1, 1}));
}

TEST_CASE("the gradients of element are the central differences") {
  checkShapes([](const auto& x) { return element(x, {}); }, {{}});
  checkShapes([](const auto& x) { return element(x, {-1}); }, {{1}, {4}});
  checkShapes([](const auto& x) { return element(x, {1, -2, 0}); }, {{2, 3, 1}, {3, 2, 4}});
  checkShapes([](const auto& x) { return element(x, {1, 0, -1, 0, 1}); }, {{2, 1, 2, 1, 2}});
  checkGradients([](const auto& x) { return x(0, 1) * x(1, 0) + x(0, 1); },
                 Tensor<double>({2, 2}, {1, 2, 3, 4}));
}

TEST_CASE("the gradients of element are the central differences, of any of three axes' elements") {
  checkDraws([](Random& random) {
    const Shape shape{1 + random.below(3), 1 + random.below(3), 1 + random.below(3)};
    const auto i = drawAxis(random, shape[0]);
    const auto j = drawAxis(random, shape[1]);
    const auto k = drawAxis(random, shape[2]);
    return DrawnOperation{[=](const Operands& of) {
                            return element(of[0], {i, j, k});
                          },
                          {random.tensor<double>(shape)}};
  });
}

TEST_CASE("element refuses indices beyond the shape, as soon as it is known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2, 3}));
  const auto refused = [](const auto& select, const char* message) {
    CHECK(errorOf([&] { select(Tensor<double>::zeros({2, 3})); }) == message);
    CHECK(errorOf([&] { return select(DoubleTensorWeight(Tensor<double>::zeros({2, 3}))); }) == message);
    CHECK(evaluationError(select(lateLayer(Tensor<double>::zeros({2, 3})))) == message);
  };
  refused(
      [](const auto& value) {
        return element(value, {1, 3});
      },
      "tapestry::element: index out of range, got (1, 3), expected indices below [2, 3], or down to minus "
      "those");
  refused(
      [](const auto& value) {
        return element(value, {-3, 0});
      },
      "tapestry::element: index out of range, got (-3, 0), expected indices below [2, 3], or down to "
      "minus those");
  refused([](const auto& value) { return element(value, {1}); },
          "tapestry::element: wrong number of indices, got (1), expected 2 for [2, 3]");
  CHECK_THROWS_AS(x(2, 0), std::out_of_range);
  CHECK_THROWS_AS(x(0), ShapeError);
}
