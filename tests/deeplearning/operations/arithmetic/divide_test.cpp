#include <tapestry/deeplearning/operations/arithmetic/divide.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::DoubleTensorWeight;
using tapestry::DoubleWeight;
using tapestry::ShapeError;
using tapestry::Tensor;

namespace {

constexpr auto divideOf = [](const auto& x, const auto& y) { return x / y; };

static_assert(hasBinaryTypes<decltype(divideOf)>());

}  // namespace

TEST_CASE("division works on scalars, tensors and both") {
  const Tensor<double> x({2, 2}, {1, 2, 3, 4});
  const Tensor<double> row({2}, {2, 4});
  CHECK(valueOf(divideOf(DoubleLayer(6), 4.0)) == 1.5);
  CHECK(divideOf(x, row) == Tensor<double>({2, 2}, {0.5, 0.5, 1.5, 1}));
  CHECK(valueOf(divideOf(DoubleTensorLayer(x), row)) == Tensor<double>({2, 2}, {0.5, 0.5, 1.5, 1}));
  CHECK(valueOf(divideOf(x, DoubleLayer(2))) == Tensor<double>({2, 2}, {0.5, 1, 1.5, 2}));
  CHECK(valueOf(divideOf(2.0, DoubleTensorLayer(x))) == Tensor<double>({2, 2}, {2, 1, 2.0 / 3, 0.5}));
}

TEST_CASE("the gradients of division are the central differences") {
  checkBinary<double, double>(divideOf, {}, {.low = 0.5, .mirrored = true});
  checkBinary<Tensor<double>, Tensor<double>>(divideOf, {}, {.low = 0.5, .mirrored = true});
}

TEST_CASE("the gradients of division are the central differences where a scalar meets a tensor") {
  checkBinary<double, Tensor<double>>(divideOf, {}, {.low = 0.5, .mirrored = true});
  checkBinary<Tensor<double>, double>(divideOf, {}, {.low = 0.5, .mirrored = true});
}

TEST_CASE("the gradients of division are the central differences in single precision") {
  checkBinary<float, double>(divideOf, {}, {.low = 0.5, .mirrored = true});
  checkBinary<Tensor<float>, Tensor<float>>(divideOf, {}, {.low = 0.5, .mirrored = true});
  checkBinary<double, Tensor<float>>(divideOf, {}, {.low = 0.5, .mirrored = true});
}

TEST_CASE("the gradient of division adds up where both operands are one") {
  checkGradients([](const auto& x) { return divideOf(x, x); }, 1.25);
  checkGradients([](const auto& x) { return divideOf(x, x); }, Tensor<double>({2}, {0.5, 1.5}));
}

TEST_CASE("the gradients of division are right where the square of the divisor overflows") {
  const DoubleWeight x(3e200);
  const DoubleWeight y(1e200);
  const auto exact = gradients(x / y).blockingAwait();
  CHECK(exact.of(x) == doctest::Approx(1e-200).epsilon(1e-12));
  CHECK(exact.of(y) * 1e200 == doctest::Approx(-3).epsilon(1e-12));
}

TEST_CASE("shapes that do not broadcast are refused by divide, as soon as they are known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2, 3}));
  const auto y = Tensor<double>::full({2}, 1);
  const char* const message =
      "tapestry::divide: shapes do not broadcast, got [2, 3] and [2], expected extents that are equal or 1, "
      "aligned at "
      "the last axis";
  CHECK_THROWS_WITH_AS(divideOf(x, y), message, ShapeError);
  CHECK_THROWS_WITH_AS(divideOf(x.data(), y), message, ShapeError);
  CHECK(evaluationError(divideOf(lateLayer(x), y)) == message);
  CHECK(evaluationError(divideOf(x, lateLayer(y))) == message);
  CHECK(x.data() == Tensor<double>::zeros({2, 3}));
}
