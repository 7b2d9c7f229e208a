#include <tapestry/deeplearning/operations/abs.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::FloatWeight;
using tapestry::Tensor;
using tapestry::TensorWeight;

static_assert(std::same_as<decltype(tapestry::abs(1.0)), double>);
static_assert(std::same_as<decltype(tapestry::abs(1.0F)), float>);
static_assert(std::same_as<decltype(tapestry::abs(Tensor<float>())), Tensor<float>>);
static_assert(std::same_as<decltype(tapestry::abs(FloatWeight(1))), tapestry::FloatLayer>);
static_assert(std::same_as<decltype(tapestry::abs(TensorWeight({}))), tapestry::TensorLayer>);

namespace {

constexpr auto absOf = [](const auto& x) { return tapestry::abs(x); };

}  // namespace

TEST_CASE("abs is the absolute value") {
  CHECK(tapestry::abs(-2.5) == 2.5);
  CHECK(valueOf(tapestry::abs(DoubleLayer(-2.5))) == 2.5);
  const Tensor<double> x({2, 2}, {-1, 0, 2, -3});
  CHECK(valueOf(tapestry::abs(DoubleTensorLayer(x))) == Tensor<double>({2, 2}, {1, 0, 2, 3}));
}

TEST_CASE("the gradients of abs are the central differences") {
  checkUnary<double>(absOf, {.low = 0.1, .mirrored = true});
  checkUnary<Tensor<double>>(absOf, {.low = 0.1, .mirrored = true});
}

TEST_CASE("the gradients of abs are the central differences in single precision") {
  checkUnary<float>(absOf, {.low = 0.1, .mirrored = true});
  checkUnary<Tensor<float>>(absOf, {.low = 0.1, .mirrored = true});
}

TEST_CASE("no delta passes abs at zero") {
  const tapestry::DoubleWeight w(0);
  CHECK(gradients(abs(w)).blockingAwait().of(w) == 0);
}
