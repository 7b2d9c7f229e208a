#include <tapestry/deeplearning/operations/expm1.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::FloatWeight;
using tapestry::Tensor;
using tapestry::TensorWeight;

static_assert(std::same_as<decltype(tapestry::expm1(1.0)), double>);
static_assert(std::same_as<decltype(tapestry::expm1(1.0F)), float>);
static_assert(std::same_as<decltype(tapestry::expm1(Tensor<float>())), Tensor<float>>);
static_assert(std::same_as<decltype(tapestry::expm1(FloatWeight(1))), tapestry::FloatLayer>);
static_assert(std::same_as<decltype(tapestry::expm1(TensorWeight({}))), tapestry::TensorLayer>);

namespace {

constexpr auto expm1Of = [](const auto& x) { return tapestry::expm1(x); };

}  // namespace

TEST_CASE("expm1 is the exponential minus one") {
  CHECK(tapestry::expm1(0.0) == 0);
  CHECK(valueOf(tapestry::expm1(DoubleLayer(1))) == doctest::Approx(1.718281828459045).epsilon(1e-14));
  const auto y = valueOf(tapestry::expm1(DoubleTensorLayer(Tensor<double>({2}, {-1, 2}))));
  CHECK(y(0) == doctest::Approx(-0.6321205588285577).epsilon(1e-14));
  CHECK(y(1) == doctest::Approx(6.38905609893065).epsilon(1e-14));
}

TEST_CASE("expm1 keeps the digits of what is near zero, and approaches minus one") {
  const TensorWeight w(Tensor<float>({2}, {1e-20F, -1e4F}));
  CHECK(valueOf(tapestry::expm1(w)) == Tensor<float>({2}, {1e-20F, -1}));
  CHECK(gradients(expm1(w)).blockingAwait().of(w) == Tensor<float>({2}, {1, 0}));
}

TEST_CASE("the gradients of expm1 are the central differences") {
  checkUnary<double>(expm1Of);
  checkUnary<Tensor<double>>(expm1Of);
}

TEST_CASE("the gradients of expm1 are the central differences in single precision") {
  checkUnary<float>(expm1Of);
  checkUnary<Tensor<float>>(expm1Of);
}
