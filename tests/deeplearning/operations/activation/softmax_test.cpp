#include <tapestry/deeplearning/operations/activation/softmax.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"
#include "tapestry/deeplearning/operations/activation/log_softmax.hpp"
#include "tapestry/deeplearning/operations/layout/transpose.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("softmax is positive and adds up to 1") {
  const Tensor<double> x({2, 2}, {0, std::log(3.0), 1e4, -1e4});
  const auto y = softmax(x);
  CHECK(y(0, 0) == doctest::Approx(0.25));
  CHECK(y(0, 1) == doctest::Approx(0.75));
  CHECK(y(1, 0) == 1);
  CHECK(y(1, 1) == 0);
  CHECK(softmax(Tensor<float>({2, 1}, {1, 1}), 0) == Tensor<float>({2, 1}, {0.5F, 0.5F}));
}

TEST_CASE("the gradients of softmax are the central differences") {
  checkShapes([](const auto& x) { return softmax(x); }, {{3}, {2, 3}, {1, 2, 1, 2, 2}, {2, 0}});
  checkShapes([](const auto& x) { return softmax(x, 0); }, {{3}, {3, 2}, {2, 1, 2}});
}

TEST_CASE("softmax refuses an axis out of range, as soon as the shape is known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({3}));
  const char* const message =
      "tapestry::softmax: axis out of range, got axis 1 of [3], expected different axes in -1 .. 0";
  CHECK_THROWS_WITH_AS(softmax(x, 1), message, ShapeError);
  CHECK(evaluationError(softmax(lateLayer(x), 1)) == message);
  CHECK_THROWS_WITH_AS(softmax(Tensor<float>::zeros({3}), 1), message, ShapeError);
}

TEST_CASE("the gradients of softmax are the central differences, along any axis") {
  checkDraws([](Random& random) {
    const Shape shape = drawShape(random, 1);
    const std::ptrdiff_t axis = drawAxis(random, shape.rank());
    return DrawnOperation{[=](const Operands& of) { return softmax(of[0], axis); },
                          {random.tensor<double>(shape)}};
  });
}

TEST_CASE("softmax gives -inf no weight, and none at all to a row of nothing else") {
  const double inf = std::numeric_limits<double>::infinity();
  const Tensor<double> x({3, 2}, {-inf, 1, -inf, -inf, 2, 2});
  const auto y = softmax(x);
  CHECK(y(0, 0) == 0);
  CHECK(y(0, 1) == 1);
  CHECK(std::isnan(y(1, 0)));
  CHECK(std::isnan(y(1, 1)));
  CHECK(y(2, 0) == 0.5);
}

TEST_CASE("softmax of a row with inf is NaN throughout, for any axis, and logSoftmax too") {
  const double inf = std::numeric_limits<double>::infinity();
  const Tensor<double> x({2, 3}, {inf, 1, 2, 0, 0, 0});
  for (const auto& y : {softmax(x), logSoftmax(x), transpose(softmax(transpose(x), 0)),
                        transpose(logSoftmax(transpose(x), 0))}) {
    for (const std::size_t j : {0, 1, 2}) {
      CHECK(std::isnan(y(0, j)));
      CHECK(std::isfinite(y(1, j)));
    }
  }
}
