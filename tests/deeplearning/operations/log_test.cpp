#include <tapestry/deeplearning/operations/log.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::FloatWeight;
using tapestry::Tensor;
using tapestry::TensorWeight;

static_assert(std::same_as<decltype(tapestry::log(1.0)), double>);
static_assert(std::same_as<decltype(tapestry::log(1.0F)), float>);
static_assert(std::same_as<decltype(tapestry::log(Tensor<float>())), Tensor<float>>);
static_assert(std::same_as<decltype(tapestry::log(FloatWeight(1))), tapestry::FloatLayer>);
static_assert(std::same_as<decltype(tapestry::log(TensorWeight({}))), tapestry::TensorLayer>);

namespace {

constexpr auto logOf = [](const auto& x) { return tapestry::log(x); };

}  // namespace

TEST_CASE("log is the natural logarithm") {
  CHECK(tapestry::log(1.0) == 0);
  CHECK(valueOf(tapestry::log(DoubleLayer(10))) == doctest::Approx(2.302585092994046).epsilon(1e-14));
  const auto y = valueOf(tapestry::log(DoubleTensorLayer(Tensor<double>({2}, {0.5, 2}))));
  CHECK(y(0) == doctest::Approx(-0.6931471805599453).epsilon(1e-14));
  CHECK(y(1) == doctest::Approx(0.6931471805599453).epsilon(1e-14));
}

TEST_CASE("the logarithm of zero is minus infinity, of less not a number") {
  CHECK(valueOf(tapestry::log(DoubleLayer(0))) == -std::numeric_limits<double>::infinity());
  CHECK(std::isnan(valueOf(tapestry::log(DoubleLayer(-1)))));
}

TEST_CASE("the gradients of log are the central differences") {
  checkUnary<double>(logOf, {.low = 0.3});
  checkUnary<Tensor<double>>(logOf, {.low = 0.3});
}

TEST_CASE("the gradients of log are the central differences in single precision") {
  checkUnary<float>(logOf, {.low = 0.5});
  checkUnary<Tensor<float>>(logOf, {.low = 0.5});
}
