#include <tapestry/deeplearning/operations/cos.hpp>

#include <numbers>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::DoubleWeight;
using tapestry::FloatWeight;
using tapestry::Tensor;
using tapestry::TensorWeight;

static_assert(std::same_as<decltype(tapestry::cos(1.0)), double>);
static_assert(std::same_as<decltype(tapestry::cos(1.0F)), float>);
static_assert(std::same_as<decltype(tapestry::cos(Tensor<float>())), Tensor<float>>);
static_assert(std::same_as<decltype(tapestry::cos(FloatWeight(1))), tapestry::FloatLayer>);
static_assert(std::same_as<decltype(tapestry::cos(TensorWeight({}))), tapestry::TensorLayer>);

namespace {

constexpr auto cosOf = [](const auto& x) { return tapestry::cos(x); };

}  // namespace

TEST_CASE("cos is the cosine of radians") {
  CHECK(tapestry::cos(0.0) == 1);
  CHECK(valueOf(tapestry::cos(DoubleLayer(1))) == doctest::Approx(0.5403023058681398).epsilon(1e-14));
  const auto y = valueOf(tapestry::cos(DoubleTensorLayer(Tensor<double>({2}, {-0.5, 2}))));
  CHECK(y(0) == doctest::Approx(0.8775825618903728).epsilon(1e-14));
  CHECK(y(1) == doctest::Approx(-0.4161468365471424).epsilon(1e-14));
}

TEST_CASE("the derivative of cos is minus the sine") {
  const DoubleWeight w(std::numbers::pi / 2);
  CHECK(gradients(cos(w)).blockingAwait().of(w) == -1);
}

TEST_CASE("the gradients of cos are the central differences") {
  checkUnary<double>(cosOf, {.low = -4, .high = 4});
  checkUnary<Tensor<double>>(cosOf, {.low = -4, .high = 4});
}

TEST_CASE("the gradients of cos are the central differences in single precision") {
  checkUnary<float>(cosOf, {.low = -4, .high = 4});
  checkUnary<Tensor<float>>(cosOf, {.low = -4, .high = 4});
}
