#include <tapestry/deeplearning/operations/sqrt.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::DoubleTensorWeight;
using tapestry::FloatWeight;
using tapestry::Tensor;
using tapestry::TensorWeight;

static_assert(std::same_as<decltype(tapestry::sqrt(1.0)), double>);
static_assert(std::same_as<decltype(tapestry::sqrt(1.0F)), float>);
static_assert(std::same_as<decltype(tapestry::sqrt(Tensor<float>())), Tensor<float>>);
static_assert(std::same_as<decltype(tapestry::sqrt(FloatWeight(1))), tapestry::FloatLayer>);
static_assert(std::same_as<decltype(tapestry::sqrt(TensorWeight({}))), tapestry::TensorLayer>);

namespace {

constexpr auto sqrtOf = [](const auto& x) { return tapestry::sqrt(x); };

}  // namespace

TEST_CASE("sqrt is the square root, and NaN of what is negative") {
  CHECK(tapestry::sqrt(2.25) == 1.5);
  CHECK(std::isnan(tapestry::sqrt(-1.0)));
  CHECK(valueOf(tapestry::sqrt(DoubleLayer(9))) == 3);
  const Tensor<double> x({2, 2}, {0, 1, 4, 6.25});
  CHECK(valueOf(tapestry::sqrt(DoubleTensorLayer(x))) == Tensor<double>({2, 2}, {0, 1, 2, 2.5}));
}

TEST_CASE("the derivative of sqrt is half the inverse of its output, infinite at zero") {
  const DoubleTensorWeight w(Tensor<double>({3}, {4, 0.25, 0}));
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(gradients(sqrt(w)).blockingAwait().of(w) == Tensor<double>({3}, {0.25, 1, infinity}));
}

TEST_CASE("the gradients of sqrt are the central differences") {
  checkUnary<double>(sqrtOf, {.low = 0.5, .high = 4});
  checkUnary<Tensor<double>>(sqrtOf, {.low = 0.5, .high = 4});
}

TEST_CASE("the gradients of sqrt are the central differences in single precision") {
  checkUnary<float>(sqrtOf, {.low = 0.5, .high = 4});
  checkUnary<Tensor<float>>(sqrtOf, {.low = 0.5, .high = 4});
}
