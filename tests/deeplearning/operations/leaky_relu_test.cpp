#include <tapestry/deeplearning/operations/leaky_relu.hpp>

#include "deeplearning/operations/support.hpp"
#include "tapestry/deeplearning/operations/min.hpp"
#include "tapestry/deeplearning/operations/sum.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::DoubleTensorWeight;
using tapestry::DoubleWeight;
using tapestry::FloatWeight;
using tapestry::Tensor;
using tapestry::TensorWeight;

static_assert(std::same_as<decltype(tapestry::leakyRelu(1.0, 0.25)), double>);
static_assert(std::same_as<decltype(tapestry::leakyRelu(1.0F, 0.25)), float>);
static_assert(std::same_as<decltype(tapestry::leakyRelu(Tensor<float>(), 0.25)), Tensor<float>>);
static_assert(std::same_as<decltype(tapestry::leakyRelu(FloatWeight(1), 0.25)), tapestry::FloatLayer>);
static_assert(std::same_as<decltype(tapestry::leakyRelu(TensorWeight({}), 0.25)), tapestry::TensorLayer>);

namespace {

constexpr auto leakyReluOf = [](const auto& x) { return tapestry::leakyRelu(x, 0.25); };

}  // namespace

TEST_CASE("leakyRelu keeps what is positive, and a share of the rest") {
  CHECK(tapestry::leakyRelu(-2.0, 0.25) == -0.5);
  CHECK(valueOf(tapestry::leakyRelu(DoubleLayer(2), 0.25)) == 2);
  const Tensor<double> x({2, 2}, {-1, 0, 2, -3});
  CHECK(valueOf(tapestry::leakyRelu(DoubleTensorLayer(x), 0.25)) ==
        Tensor<double>({2, 2}, {-0.25, 0, 2, -0.75}));
  CHECK(std::isnan(tapestry::leakyRelu(std::numeric_limits<double>::quiet_NaN(), 0.25)));
}

TEST_CASE("leakyRelu of slope 0 is 0 for all that is negative, without end too, and NaN comes through") {
  const double inf = std::numeric_limits<double>::infinity();
  CHECK(tapestry::leakyRelu(-inf, 0) == 0);
  CHECK(tapestry::leakyRelu(-inf, 0.25) == -inf);
  CHECK(std::isnan(tapestry::leakyRelu(-std::numeric_limits<double>::quiet_NaN(), 0)));
  const DoubleTensorWeight w(Tensor<double>({5}, {-inf, -2, 0, 3, inf}));
  CHECK(valueOf(leakyRelu(w, 0)) == Tensor<double>({5}, {0, 0, 0, 3, inf}));
  CHECK(gradients(sum(min(leakyRelu(w, 0), 4.0))).blockingAwait().of(w) ==
        Tensor<double>({5}, {0, 0, 0.5, 1, 0}));
}

TEST_CASE("the derivative of leakyRelu at zero is the mean of those at either side") {
  const DoubleTensorWeight w(Tensor<double>({3}, {-1, 0, 1}));
  CHECK(gradients(leakyRelu(w, 0.25)).blockingAwait().of(w) == Tensor<double>({3}, {0.25, 0.625, 1}));
  const DoubleWeight scalar(0);
  CHECK(gradients(leakyRelu(scalar, 0.25)).blockingAwait().of(scalar) == 0.625);
}

TEST_CASE("the gradients of leakyRelu are the central differences") {
  checkUnary<double>(leakyReluOf, {.low = 0.1, .mirrored = true});
  checkUnary<Tensor<double>>(leakyReluOf, {.low = 0.1, .mirrored = true});
}

TEST_CASE("the gradients of leakyRelu are the central differences in single precision") {
  checkUnary<float>(leakyReluOf, {.low = 0.1, .mirrored = true});
  checkUnary<Tensor<float>>(leakyReluOf, {.low = 0.1, .mirrored = true});
}
