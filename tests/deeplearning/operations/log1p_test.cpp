#include <tapestry/deeplearning/operations/log1p.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::FloatWeight;
using tapestry::Tensor;
using tapestry::TensorWeight;

static_assert(std::same_as<decltype(tapestry::log1p(1.0)), double>);
static_assert(std::same_as<decltype(tapestry::log1p(1.0F)), float>);
static_assert(std::same_as<decltype(tapestry::log1p(Tensor<float>())), Tensor<float>>);
static_assert(std::same_as<decltype(tapestry::log1p(FloatWeight(1))), tapestry::FloatLayer>);
static_assert(std::same_as<decltype(tapestry::log1p(TensorWeight({}))), tapestry::TensorLayer>);

namespace {

constexpr auto log1pOf = [](const auto& x) { return tapestry::log1p(x); };

}  // namespace

TEST_CASE("log1p is the logarithm of one more") {
  CHECK(tapestry::log1p(0.0) == 0);
  CHECK(valueOf(tapestry::log1p(DoubleLayer(1))) == doctest::Approx(0.6931471805599453).epsilon(1e-14));
  const auto y = valueOf(tapestry::log1p(DoubleTensorLayer(Tensor<double>({2}, {-0.5, 2}))));
  CHECK(y(0) == doctest::Approx(-0.6931471805599453).epsilon(1e-14));
  CHECK(y(1) == doctest::Approx(1.0986122886681096).epsilon(1e-14));
}

TEST_CASE("log1p keeps the digits of what is near zero, and has its pole at minus one") {
  CHECK(valueOf(tapestry::log1p(Tensor<float>({1}, {1e-20F}) * FloatWeight(1))) ==
        Tensor<float>({1}, {1e-20F}));
  CHECK(tapestry::log1p(-1.0) == -std::numeric_limits<double>::infinity());
  CHECK(std::isnan(tapestry::log1p(-2.0)));
}

TEST_CASE("the gradients of log1p are the central differences") {
  checkUnary<double>(log1pOf, {.low = -0.5, .high = 3});
  checkUnary<Tensor<double>>(log1pOf, {.low = -0.5, .high = 3});
}

TEST_CASE("the gradients of log1p are the central differences in single precision") {
  checkUnary<float>(log1pOf, {.low = -0.5, .high = 3});
  checkUnary<Tensor<float>>(log1pOf, {.low = -0.5, .high = 3});
}
