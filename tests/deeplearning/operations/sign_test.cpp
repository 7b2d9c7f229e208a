#include <tapestry/deeplearning/operations/sign.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::DoubleTensorWeight;
using tapestry::DoubleWeight;
using tapestry::FloatWeight;
using tapestry::Tensor;
using tapestry::TensorWeight;

static_assert(std::same_as<decltype(tapestry::sign(1.0)), double>);
static_assert(std::same_as<decltype(tapestry::sign(1.0F)), float>);
static_assert(std::same_as<decltype(tapestry::sign(Tensor<float>())), Tensor<float>>);
static_assert(std::same_as<decltype(tapestry::sign(FloatWeight(1))), tapestry::FloatLayer>);
static_assert(std::same_as<decltype(tapestry::sign(TensorWeight({}))), tapestry::TensorLayer>);

namespace {

constexpr auto signOf = [](const auto& x) { return tapestry::sign(x); };

}  // namespace

TEST_CASE("sign is minus one, zero or one") {
  CHECK(tapestry::sign(-2.5) == -1);
  CHECK(valueOf(tapestry::sign(DoubleLayer(3))) == 1);
  const Tensor<double> x({2, 2}, {-1, 0, 2, -3});
  CHECK(valueOf(tapestry::sign(DoubleTensorLayer(x))) == Tensor<double>({2, 2}, {-1, 0, 1, -1}));
  CHECK(std::isnan(tapestry::sign(std::numeric_limits<float>::quiet_NaN())));
}

TEST_CASE("the derivative of sign is zero, also at zero") {
  const DoubleWeight scalar(2);
  CHECK(gradients(sign(scalar)).blockingAwait().of(scalar) == 0);
  const DoubleTensorWeight w(Tensor<double>({3}, {-1, 0, 1}));
  CHECK(gradients(sign(w)).blockingAwait().of(w) == Tensor<double>::zeros({3}));
  CHECK(gradients(sign(w) * w).blockingAwait().of(w) == Tensor<double>({3}, {-1, 0, 1}));
}

TEST_CASE("the gradients of sign are the central differences") {
  checkUnary<double>(signOf, {.low = 0.1, .mirrored = true});
  checkUnary<Tensor<double>>(signOf, {.low = 0.1, .mirrored = true});
}

TEST_CASE("the gradients of sign are the central differences in single precision") {
  checkUnary<float>(signOf, {.low = 0.1, .mirrored = true});
  checkUnary<Tensor<float>>(signOf, {.low = 0.1, .mirrored = true});
}
