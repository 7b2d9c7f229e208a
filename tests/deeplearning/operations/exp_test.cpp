#include <tapestry/deeplearning/operations/exp.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::FloatWeight;
using tapestry::Tensor;
using tapestry::TensorWeight;

static_assert(std::same_as<decltype(tapestry::exp(1.0)), double>);
static_assert(std::same_as<decltype(tapestry::exp(1.0F)), float>);
static_assert(std::same_as<decltype(tapestry::exp(Tensor<float>())), Tensor<float>>);
static_assert(std::same_as<decltype(tapestry::exp(FloatWeight(1))), tapestry::FloatLayer>);
static_assert(std::same_as<decltype(tapestry::exp(TensorWeight({}))), tapestry::TensorLayer>);

namespace {

constexpr auto expOf = [](const auto& x) { return tapestry::exp(x); };

}  // namespace

TEST_CASE("exp is the exponential") {
  CHECK(tapestry::exp(0.0) == 1);
  CHECK(valueOf(tapestry::exp(DoubleLayer(1))) == doctest::Approx(2.718281828459045).epsilon(1e-14));
  const auto y = valueOf(tapestry::exp(DoubleTensorLayer(Tensor<double>({2}, {-1, 2}))));
  CHECK(y(0) == doctest::Approx(0.36787944117144233).epsilon(1e-14));
  CHECK(y(1) == doctest::Approx(7.38905609893065).epsilon(1e-14));
}

TEST_CASE("the gradients of exp are the central differences") {
  checkUnary<double>(expOf);
  checkUnary<Tensor<double>>(expOf);
}

TEST_CASE("the gradients of exp are the central differences in single precision") {
  checkUnary<float>(expOf);
  checkUnary<Tensor<float>>(expOf);
}
