#include <tapestry/deeplearning/operations/layout/concat.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"
#include "tapestry/deeplearning/operations/arithmetic/negate.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

template <std::ptrdiff_t axis>
constexpr auto joined = [](const auto& a, const auto& b) {
  return concat(std::vector{-a, -b, -a}, axis);
};

}  // namespace

TEST_CASE("concat puts tensors one after the other") {
  const Tensor<float> x({2, 1}, {1, 2});
  const Tensor<float> y({2, 2}, {3, 4, 5, 6});
  CHECK(concat(std::vector{x, y}, 1) == Tensor<float>({2, 3}, {1, 3, 4, 2, 5, 6}));
  CHECK(concat(std::vector{x, x}) == Tensor<float>({4, 1}, {1, 2, 1, 2}));
  CHECK(valueOf(concat(std::vector{TensorLayer(x), TensorLayer(y)}, -1)) ==
        Tensor<float>({2, 3}, {1, 3, 4, 2, 5, 6}));
}

TEST_CASE("the gradients of concat are the central differences") {
  const Tensor<double> x({2, 2}, {1, 2, 3, 4});
  checkGradients(joined<0>, x, Tensor<double>({1, 2}, {5, 6}));
  checkGradients(joined<-1>, x, Tensor<double>({2, 3}, {5, 6, 7, 8, 9, 10}));
  checkGradients(joined<0>, x, Tensor<double>::zeros({0, 2}));
  checkGradients(onDiamond(joined<1>), x, x);
  checkGradients<float>(joined<0>, Tensor<float>({2}, {1, 2}), Tensor<float>({1}, {3}));
  checkGradients([](const auto& a, const auto& b) { return joined<0>(lateLayer(a), b); }, x, x);
}

TEST_CASE("the gradients of concat are the central differences, for any shapes") {
  checkDraws([](Random& random) {
    const Shape shape = drawShape(random, 1, 4);
    const std::ptrdiff_t axis = drawAxis(random, shape.rank());
    std::vector<Tensor<double>> parts;
    for (std::size_t i = 0, count = 1 + random.below(3); i < count; ++i) {
      std::vector<std::size_t> extents(shape.begin(), shape.end());
      extents[resolveAxis(axis, shape, "concat")] = random.below(4);
      parts.push_back(random.tensor<double>(Shape(extents)));
    }
    return DrawnOperation{[=](const Operands& of) { return concat(of, axis); }, parts};
  });
}

TEST_CASE("concat refuses shapes that differ beside the axis, as soon as it can know") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2, 3}));
  const DoubleTensorWeight y(Tensor<double>::zeros({2, 4}));
  const char* const message =
      "tapestry::concat: the shapes differ beside the axis, got [2, 3] and [2, 4] along axis 0, expected "
      "equal "
      "extents of all other axes";
  CHECK_THROWS_WITH_AS(concat(std::vector{x, y}), message, ShapeError);
  CHECK(evaluationError(concat(std::vector{lateLayer(x), lateLayer(y)})) == message);
  CHECK_THROWS_AS(concat(std::vector{x, x}, 2), ShapeError);
  CHECK_THROWS_WITH_AS(concat(std::vector<TensorLayer>()),
                       "tapestry::concat: the range is empty, got 0 tensors, expected at least 1",
                       std::invalid_argument);
}
