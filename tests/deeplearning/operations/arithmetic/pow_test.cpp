#include <tapestry/deeplearning/operations/arithmetic/pow.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::DoubleTensorWeight;
using tapestry::DoubleWeight;
using tapestry::ShapeError;
using tapestry::Tensor;

namespace {

constexpr auto powOf = [](const auto& x, const auto& y) { return tapestry::pow(x, y); };
constexpr From positive{.low = 0.5, .high = 2};

template <class A, class B>
using PowResult = decltype(powOf(std::declval<A>(), std::declval<B>()));

static_assert(std::same_as<PowResult<Tensor<double>, Tensor<double>>, Tensor<double>>);
static_assert(std::same_as<PowResult<double, Tensor<float>>, Tensor<float>>);
static_assert(std::same_as<PowResult<Tensor<float>, double>, Tensor<float>>);
static_assert(std::same_as<PowResult<double, double>, double>);
static_assert(std::same_as<PowResult<double, DoubleWeight>, DoubleLayer>);
static_assert(std::same_as<PowResult<tapestry::FloatWeight, double>, DoubleLayer>);
static_assert(std::same_as<PowResult<DoubleWeight, tapestry::TensorLayer>, tapestry::TensorLayer>);
static_assert(std::same_as<PowResult<tapestry::TensorWeight, float>, tapestry::TensorLayer>);

}  // namespace

TEST_CASE("pow works on scalars, tensors and both") {
  const Tensor<double> x({2, 2}, {1, 2, 3, 4});
  const Tensor<double> row({2}, {2, -1});
  CHECK(powOf(2.0, 10.0) == 1024);
  CHECK(valueOf(powOf(DoubleLayer(9), 0.5)) == 3);
  CHECK(powOf(x, row) == Tensor<double>({2, 2}, {1, 0.5, 9, 0.25}));
  CHECK(valueOf(powOf(DoubleTensorLayer(x), row)) == Tensor<double>({2, 2}, {1, 0.5, 9, 0.25}));
  CHECK(valueOf(powOf(x, DoubleLayer(2))) == Tensor<double>({2, 2}, {1, 4, 9, 16}));
  CHECK(valueOf(powOf(2.0, DoubleTensorLayer(x))) == Tensor<double>({2, 2}, {2, 4, 8, 16}));
}

TEST_CASE("the gradients of pow are the central differences") {
  checkBinary<double, double>(powOf, positive);
  checkBinary<Tensor<double>, Tensor<double>>(powOf, positive);
}

TEST_CASE("the gradients of pow are the central differences where a scalar meets a tensor") {
  checkBinary<double, Tensor<double>>(powOf, positive);
  checkBinary<Tensor<double>, double>(powOf, positive);
}

TEST_CASE("the gradients of pow are the central differences in single precision") {
  checkBinary<float, double>(powOf, positive);
  checkBinary<Tensor<float>, Tensor<float>>(powOf, positive);
}

TEST_CASE("the gradients of pow to integers are the central differences for negative bases too") {
  const auto cube = [](const auto& x) { return tapestry::pow(x, 3.0); };
  checkUnary<double>(cube);
  checkUnary<Tensor<double>>(cube);
  checkUnary<Tensor<double>>([](const auto& x) { return tapestry::pow(x, 2.0); });
  checkUnary<Tensor<double>>([](const auto& x) { return tapestry::pow(x, -2.0); },
                             {.low = 0.5, .mirrored = true});
}

TEST_CASE("the derivatives of pow at a base of zero") {
  const DoubleTensorWeight x(Tensor<double>({4}, {0, 0, 0, -2}));
  const DoubleTensorWeight y(Tensor<double>({4}, {2, 1, 0, 2}));
  const auto exact = gradients(pow(x, y)).blockingAwait();
  CHECK(exact.of(x) == Tensor<double>({4}, {0, 1, 0, -4}));
  const auto ofY = exact.of(y);
  CHECK(ofY(0) == 0);
  CHECK(ofY(1) == 0);
  CHECK(ofY(2) == 0);
  CHECK(std::isnan(ofY(3)));
}

TEST_CASE("the derivative of pow with respect to the exponent is 0 at 0 to the power of 0, of scalars too") {
  const DoubleWeight x(0);
  const DoubleWeight y(0);
  const auto exact = gradients(pow(x, y)).blockingAwait();
  CHECK(exact.of(x) == 0);
  CHECK(exact.of(y) == 0);
}

TEST_CASE("shapes that do not broadcast are refused by pow, as soon as they are known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2, 3}));
  const auto y = Tensor<double>::full({2}, 1);
  const char* const message =
      "tapestry::pow: shapes do not broadcast, got [2, 3] and [2], expected extents that are equal or 1, "
      "aligned at the last axis";
  CHECK_THROWS_WITH_AS(powOf(x, y), message, ShapeError);
  CHECK_THROWS_WITH_AS(powOf(x.data(), y), message, ShapeError);
  CHECK(evaluationError(powOf(lateLayer(x), y)) == message);
  CHECK(evaluationError(powOf(x, lateLayer(y))) == message);
}
