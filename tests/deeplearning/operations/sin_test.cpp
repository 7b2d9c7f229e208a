#include <tapestry/deeplearning/operations/sin.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::DoubleWeight;
using tapestry::FloatWeight;
using tapestry::Tensor;
using tapestry::TensorWeight;

static_assert(std::same_as<decltype(tapestry::sin(1.0)), double>);
static_assert(std::same_as<decltype(tapestry::sin(1.0F)), float>);
static_assert(std::same_as<decltype(tapestry::sin(Tensor<float>())), Tensor<float>>);
static_assert(std::same_as<decltype(tapestry::sin(FloatWeight(1))), tapestry::FloatLayer>);
static_assert(std::same_as<decltype(tapestry::sin(TensorWeight({}))), tapestry::TensorLayer>);

namespace {

constexpr auto sinOf = [](const auto& x) { return tapestry::sin(x); };

}  // namespace

TEST_CASE("sin is the sine of radians") {
  CHECK(tapestry::sin(0.0) == 0);
  CHECK(valueOf(tapestry::sin(DoubleLayer(1))) == doctest::Approx(0.8414709848078965).epsilon(1e-14));
  const auto y = valueOf(tapestry::sin(DoubleTensorLayer(Tensor<double>({2}, {-0.5, 2}))));
  CHECK(y(0) == doctest::Approx(-0.479425538604203).epsilon(1e-14));
  CHECK(y(1) == doctest::Approx(0.9092974268256817).epsilon(1e-14));
}

TEST_CASE("the derivative of sin is the cosine") {
  const DoubleWeight w(0);
  CHECK(gradients(sin(w)).blockingAwait().of(w) == 1);
}

TEST_CASE("the gradients of sin are the central differences") {
  checkUnary<double>(sinOf, {.low = -4, .high = 4});
  checkUnary<Tensor<double>>(sinOf, {.low = -4, .high = 4});
}

TEST_CASE("the gradients of sin are the central differences in single precision") {
  checkUnary<float>(sinOf, {.low = -4, .high = 4});
  checkUnary<Tensor<float>>(sinOf, {.low = -4, .high = 4});
}
