#include <tapestry/deeplearning/operations/activation/log_softmax.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("logSoftmax is the logarithm of softmax, finite for large inputs") {
  const Tensor<float> y = logSoftmax(Tensor<float>({3}, {1e4F, 0, -1e4F}));
  CHECK(y == Tensor<float>({3}, {0, -1e4F, -2e4F}));
  CHECK(valueOf(logSoftmax(DoubleTensorLayer(Tensor<double>({2}, {0, std::log(3.0)}))))(0) ==
        doctest::Approx(std::log(0.25)));
}

TEST_CASE("the gradients of logSoftmax are the central differences") {
  checkShapes([](const auto& x) { return logSoftmax(x); }, {{3}, {2, 3}, {1, 2, 1, 2, 2}, {2, 0}});
  checkShapes([](const auto& x) { return logSoftmax(x, 0); }, {{3, 2}, {2, 1, 1, 2, 1}});
}

TEST_CASE("the gradients of logSoftmax are the central differences, along any axis") {
  checkDraws([](Random& random) {
    const Shape shape = drawShape(random, 1);
    const std::ptrdiff_t axis = drawAxis(random, shape.rank());
    return DrawnOperation{[=](const Operands& of) { return logSoftmax(of[0], axis); },
                          {random.tensor<double>(shape)}};
  });
}

TEST_CASE("logSoftmax leaves -inf as it is, but for a row of nothing else") {
  const double inf = std::numeric_limits<double>::infinity();
  const auto y = logSoftmax(Tensor<double>({2, 2}, {-inf, 1, -inf, -inf}));
  CHECK(y(0, 0) == -inf);
  CHECK(y(0, 1) == 0);
  CHECK(std::isnan(y(1, 0)));
  CHECK(std::isnan(y(1, 1)));
}
