#include <tapestry/deeplearning/operations/reduction/log_sum_exp.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("logSumExp is the logarithm of the sum of exponentials") {
  const Tensor<double> x({2, 2}, {0, 0, std::log(2.0), std::log(6.0)});
  const auto y = logSumExp(x, {1});
  REQUIRE(y.shape() == Shape{2});
  CHECK(y(0) == doctest::Approx(std::log(2.0)));
  CHECK(y(1) == doctest::Approx(std::log(8.0)));
  CHECK(logSumExp(x, {0, 1}, true).shape() == Shape{1, 1});
}

TEST_CASE("logSumExp is finite for large inputs, and right at the infinities") {
  const float inf = std::numeric_limits<float>::infinity();
  CHECK(logSumExp(Tensor<float>({2}, {1e4F, 1e4F}), {0}).item() == doctest::Approx(1e4F + std::log(2.0F)));
  CHECK(logSumExp(Tensor<float>({2}, {-1e4F, -1e4F}), {0}).item() == doctest::Approx(-1e4F + std::log(2.0F)));
  CHECK(logSumExp(Tensor<float>({2}, {-inf, 1}), {0}).item() == 1);
  CHECK(logSumExp(Tensor<float>({2}, {-inf, -inf}), {0}).item() == -inf);
  CHECK(logSumExp(Tensor<float>::zeros({0}), {0}).item() == -inf);
  CHECK(std::isnan(logSumExp(Tensor<float>({2}, {NAN, 1}), {0}).item()));
}

TEST_CASE("the gradients of logSumExp are the central differences") {
  checkShapes([](const auto& x) { return logSumExp(x, {0}); }, {{3}, {2, 3}, {2, 1, 2}});
  checkShapes(
      [](const auto& x) {
        return logSumExp(x, {-1, 0}, true);
      },
      {{2, 3}, {2, 2, 3}, {2, 1, 2, 1, 2}, {2, 0, 2}});
}

TEST_CASE("logSumExp refuses an axis out of range, as soon as the shape is known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({3}));
  CHECK_THROWS_AS(logSumExp(x, {1}), ShapeError);
  CHECK(evaluationError(logSumExp(lateLayer(x), {1})).find("tapestry::logSumExp: axis out of range") == 0);
}

TEST_CASE("the gradients of logSumExp are the central differences, along any axes") {
  checkReduction(
      [](const auto& x, const auto& axes, bool keepDims) { return tapestry::logSumExp(x, axes, keepDims); },
      false);
}

TEST_CASE("logSumExp of all elements is a scalar") {
  CHECK(logSumExp(Tensor<double>({2, 2}, {0, 0, 0, 0})) == doctest::Approx(std::log(4.0)));
  CHECK(logSumExp(Tensor<double>({1, 2}, {1000, -1000})) == 1000.0);
  checkShapes([](const auto& x) { return logSumExp(x); }, {{3}, {2, 3}});
}
