#include <tapestry/deeplearning/operations/sigmoid.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::FloatWeight;
using tapestry::Tensor;
using tapestry::TensorWeight;

static_assert(std::same_as<decltype(tapestry::sigmoid(1.0)), double>);
static_assert(std::same_as<decltype(tapestry::sigmoid(1.0F)), float>);
static_assert(std::same_as<decltype(tapestry::sigmoid(Tensor<float>())), Tensor<float>>);
static_assert(std::same_as<decltype(tapestry::sigmoid(FloatWeight(1))), tapestry::FloatLayer>);
static_assert(std::same_as<decltype(tapestry::sigmoid(TensorWeight({}))), tapestry::TensorLayer>);

namespace {

constexpr auto sigmoidOf = [](const auto& x) { return tapestry::sigmoid(x); };

}  // namespace

TEST_CASE("sigmoid is the logistic function") {
  CHECK(tapestry::sigmoid(0.0) == 0.5);
  CHECK(valueOf(tapestry::sigmoid(DoubleLayer(1))) == doctest::Approx(0.7310585786300049).epsilon(1e-14));
  const auto y = valueOf(tapestry::sigmoid(DoubleTensorLayer(Tensor<double>({2}, {-1, 2}))));
  CHECK(y(0) == doctest::Approx(0.2689414213699951).epsilon(1e-14));
  CHECK(y(1) == doctest::Approx(0.8807970779778823).epsilon(1e-14));
}

TEST_CASE("sigmoid and its derivative stay finite far from zero") {
  const TensorWeight w(Tensor<float>({2}, {-1e4F, 1e4F}));
  const auto layer = tapestry::sigmoid(w);
  CHECK(valueOf(layer) == Tensor<float>({2}, {0, 1}));
  CHECK(gradients(layer).blockingAwait().of(w) == Tensor<float>({2}, {0, 0}));
}

TEST_CASE("the gradients of sigmoid are the central differences") {
  checkUnary<double>(sigmoidOf);
  checkUnary<Tensor<double>>(sigmoidOf);
}

TEST_CASE("the gradients of sigmoid are the central differences in single precision") {
  checkUnary<float>(sigmoidOf);
  checkUnary<Tensor<float>>(sigmoidOf);
}
