#include <tapestry/deeplearning/operations/tanh.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::FloatWeight;
using tapestry::Tensor;
using tapestry::TensorWeight;

static_assert(std::same_as<decltype(tapestry::tanh(1.0)), double>);
static_assert(std::same_as<decltype(tapestry::tanh(1.0F)), float>);
static_assert(std::same_as<decltype(tapestry::tanh(Tensor<float>())), Tensor<float>>);
static_assert(std::same_as<decltype(tapestry::tanh(FloatWeight(1))), tapestry::FloatLayer>);
static_assert(std::same_as<decltype(tapestry::tanh(TensorWeight({}))), tapestry::TensorLayer>);

namespace {

constexpr auto tanhOf = [](const auto& x) { return tapestry::tanh(x); };

}  // namespace

TEST_CASE("tanh is the hyperbolic tangent") {
  CHECK(tapestry::tanh(0.0) == 0);
  CHECK(valueOf(tapestry::tanh(DoubleLayer(1))) == doctest::Approx(0.7615941559557649).epsilon(1e-14));
  const auto y = valueOf(tapestry::tanh(DoubleTensorLayer(Tensor<double>({2}, {-1, 2}))));
  CHECK(y(0) == doctest::Approx(-0.7615941559557649).epsilon(1e-14));
  CHECK(y(1) == doctest::Approx(0.9640275800758169).epsilon(1e-14));
}

TEST_CASE("the gradients of tanh are the central differences") {
  checkUnary<double>(tanhOf);
  checkUnary<Tensor<double>>(tanhOf);
}

TEST_CASE("the gradients of tanh are the central differences in single precision") {
  checkUnary<float>(tanhOf);
  checkUnary<Tensor<float>>(tanhOf);
}
