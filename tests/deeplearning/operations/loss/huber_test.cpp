#include <tapestry/deeplearning/operations/loss/huber.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("huber is quadratic near its minimum and linear away from it") {
  const Tensor<double> x({3}, {0.5, -1, 4});
  CHECK(huber(x, 0.0) == doctest::Approx((0.125 + 0.5 + 3.5) / 3));
  CHECK(huber(x, 0.0, 10) == doctest::Approx((0.125 + 0.5 + 8) / 3));
  CHECK(valueOf(huber(DoubleLayer(3.0), 1.0)) == 1.5);
  CHECK(huber(x, 0) == huber(x, 0.0));
  CHECK(valueOf(huber(1, FloatLayer(3.0F), 0.5)) == 0.875);
}

TEST_CASE("the gradients of huber are the central differences") {
  const auto loss = [](const auto& a, const auto& b) { return huber(a, b, 0.7); };
  checkGradients(loss, Tensor<double>({4}, {0.1, -0.5, 2, -3}), Tensor<double>({1}, {0.3}));
  checkGradients<float>([](const auto& a) { return huber(a, 1.0F); }, Tensor<float>({2}, {0.5F, -2}));
}

TEST_CASE("huber refuses a width that is not positive") {
  CHECK_THROWS_WITH_AS(huber(Tensor<float>::zeros({2}), 0.0, 0),
                       "tapestry::huber: the width is out of range, got 0, expected more than 0",
                       std::invalid_argument);
  CHECK_THROWS_AS(huber(Tensor<float>::zeros({2}), 0.0, NAN), std::invalid_argument);
}

TEST_CASE("both parts of huber have one derivative where they meet") {
  const DoubleTensorWeight x(Tensor<double>({2}, {0.5, -0.5}));
  CHECK(gradientsOf(huber(x, 0.0, 0.5)).of(x) == Tensor<double>({2}, {0.25, -0.25}));
}

TEST_CASE("the gradients of huber are the central differences, broadcast on either side") {
  checkLoss([](const auto& x, const auto& y) { return huber(x, y); });
}
