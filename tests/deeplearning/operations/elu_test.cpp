#include <tapestry/deeplearning/operations/elu.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::DoubleTensorWeight;
using tapestry::FloatWeight;
using tapestry::Tensor;
using tapestry::TensorWeight;

static_assert(std::same_as<decltype(tapestry::elu(1.0, 0.5)), double>);
static_assert(std::same_as<decltype(tapestry::elu(1.0F, 0.5)), float>);
static_assert(std::same_as<decltype(tapestry::elu(Tensor<float>(), 0.5)), Tensor<float>>);
static_assert(std::same_as<decltype(tapestry::elu(FloatWeight(1), 0.5)), tapestry::FloatLayer>);
static_assert(std::same_as<decltype(tapestry::elu(TensorWeight({}), 0.5)), tapestry::TensorLayer>);

namespace {

constexpr auto eluOf = [](const auto& x) { return tapestry::elu(x, 0.5); };

}  // namespace

TEST_CASE("elu keeps what is positive, and approaches minus alpha") {
  CHECK(tapestry::elu(2.5, 0.5) == 2.5);
  CHECK(tapestry::elu(-1.0) == doctest::Approx(-0.6321205588285577).epsilon(1e-14));
  CHECK(valueOf(tapestry::elu(DoubleLayer(-1), 0.5)) == doctest::Approx(-0.31606027941427883).epsilon(1e-14));
  const Tensor<double> x({4}, {-1e4, -1, 0, 1e4});
  const auto y = valueOf(tapestry::elu(DoubleTensorLayer(x), 0.5));
  CHECK(y(0) == -0.5);
  CHECK(y(1) == doctest::Approx(-0.31606027941427883).epsilon(1e-14));
  CHECK(y(2) == 0);
  CHECK(y(3) == 1e4);
}

TEST_CASE("the derivative of elu at zero is the mean of those at either side") {
  const DoubleTensorWeight w(Tensor<double>({3}, {-1e4, 0, 1}));
  CHECK(gradients(elu(w, 0.5)).blockingAwait().of(w) == Tensor<double>({3}, {0, 0.75, 1}));
  CHECK(gradients(elu(w)).blockingAwait().of(w) == Tensor<double>({3}, {0, 1, 1}));
}

TEST_CASE("the gradients of elu are the central differences") {
  checkUnary<double>(eluOf, {.low = 0.1, .mirrored = true});
  checkUnary<Tensor<double>>(eluOf, {.low = 0.1, .mirrored = true});
}

TEST_CASE("the gradients of elu are the central differences in single precision") {
  checkUnary<float>(eluOf, {.low = 0.1, .mirrored = true});
  checkUnary<Tensor<float>>(eluOf, {.low = 0.1, .mirrored = true});
}
