#include <tapestry/deeplearning/operations/clamp.hpp>

#include <stdexcept>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::DoubleTensorWeight;
using tapestry::DoubleWeight;
using tapestry::FloatWeight;
using tapestry::Tensor;
using tapestry::TensorWeight;

static_assert(std::same_as<decltype(tapestry::clamp(1.0, -0.5, 0.5)), double>);
static_assert(std::same_as<decltype(tapestry::clamp(1.0F, -0.5, 0.5)), float>);
static_assert(std::same_as<decltype(tapestry::clamp(Tensor<float>(), -0.5, 0.5)), Tensor<float>>);
static_assert(std::same_as<decltype(tapestry::clamp(FloatWeight(1), -0.5, 0.5)), tapestry::FloatLayer>);
static_assert(std::same_as<decltype(tapestry::clamp(TensorWeight({}), -0.5, 0.5)), tapestry::TensorLayer>);

namespace {

constexpr auto clampOf = [](const auto& x) { return tapestry::clamp(x, -0.5, 0.5); };

}  // namespace

TEST_CASE("clamp moves what is out of bounds to the bound") {
  CHECK(tapestry::clamp(2.5, -1, 1) == 1);
  CHECK(valueOf(tapestry::clamp(DoubleLayer(0.5), -1, 1)) == 0.5);
  const Tensor<double> x({2, 2}, {-3, -1, 0.5, 2});
  CHECK(valueOf(tapestry::clamp(DoubleTensorLayer(x), -1, 1)) == Tensor<double>({2, 2}, {-1, -1, 0.5, 1}));
  CHECK(std::isnan(tapestry::clamp(std::numeric_limits<float>::quiet_NaN(), -1, 1)));
}

TEST_CASE("the delta passes clamp between the bounds, and half of it at a bound") {
  const DoubleTensorWeight w(Tensor<double>({5}, {-2, -1, 0, 1, 2}));
  CHECK(gradients(clamp(w, -1, 1)).blockingAwait().of(w) == Tensor<double>({5}, {0, 0.5, 1, 0.5, 0}));
  const DoubleWeight scalar(1);
  CHECK(gradients(clamp(scalar, -1, 1)).blockingAwait().of(scalar) == 0.5);
}

TEST_CASE("bounds of clamp that are in the wrong order are refused") {
  const char* const message =
      "tapestry::clamp: the bounds are in the wrong order, got 2 and 1.5, expected low <= high";
  CHECK_THROWS_WITH_AS(tapestry::clamp(DoubleWeight(1), 2, 1.5), message, std::invalid_argument);
  CHECK_THROWS_WITH_AS(tapestry::clamp(1.0, 2, 1.5), message, std::invalid_argument);
  CHECK_THROWS_AS(tapestry::clamp(1.0, std::numeric_limits<double>::quiet_NaN(), 1), std::invalid_argument);
  CHECK(tapestry::clamp(2.0, 1, 1) == 1);
}

TEST_CASE("the gradients of clamp are the central differences, inside and outside of the bounds") {
  checkUnary<double>(clampOf, {.low = -0.4, .high = 0.4});
  checkUnary<double>(clampOf, {.low = 0.6, .mirrored = true});
  checkUnary<Tensor<double>>(clampOf, {.low = -0.4, .high = 0.4});
  checkUnary<Tensor<double>>(clampOf, {.low = 0.6, .mirrored = true});
}

TEST_CASE("the gradients of clamp are the central differences in single precision") {
  checkUnary<float>(clampOf, {.low = 0.6, .mirrored = true});
  checkUnary<Tensor<float>>(clampOf, {.low = -0.4, .high = 0.4});
}
