#include <tapestry/deeplearning/operations/softplus.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::FloatWeight;
using tapestry::Tensor;
using tapestry::TensorWeight;

static_assert(std::same_as<decltype(tapestry::softplus(1.0)), double>);
static_assert(std::same_as<decltype(tapestry::softplus(1.0F)), float>);
static_assert(std::same_as<decltype(tapestry::softplus(Tensor<float>())), Tensor<float>>);
static_assert(std::same_as<decltype(tapestry::softplus(FloatWeight(1))), tapestry::FloatLayer>);
static_assert(std::same_as<decltype(tapestry::softplus(TensorWeight({}))), tapestry::TensorLayer>);

namespace {

constexpr auto softplusOf = [](const auto& x) { return tapestry::softplus(x); };

}  // namespace

TEST_CASE("softplus is the logarithm of one more than the exponential") {
  CHECK(tapestry::softplus(0.0) == std::log(2.0));
  CHECK(valueOf(tapestry::softplus(DoubleLayer(1))) == doctest::Approx(1.3132616875182228).epsilon(1e-14));
  const auto y = valueOf(tapestry::softplus(DoubleTensorLayer(Tensor<double>({2}, {-1, 2}))));
  CHECK(y(0) == doctest::Approx(0.31326168751822286).epsilon(1e-14));
  CHECK(y(1) == doctest::Approx(2.1269280110429727).epsilon(1e-14));
}

TEST_CASE("softplus and its derivative stay finite far from zero") {
  const TensorWeight w(Tensor<float>({3}, {-1e4F, 0, 1e4F}));
  CHECK(valueOf(tapestry::softplus(w)) == Tensor<float>({3}, {0, std::log(2.0F), 1e4F}));
  CHECK(gradients(softplus(w)).blockingAwait().of(w) == Tensor<float>({3}, {0, 0.5F, 1}));
}

TEST_CASE("the gradients of softplus are the central differences") {
  checkUnary<double>(softplusOf);
  checkUnary<Tensor<double>>(softplusOf);
}

TEST_CASE("the gradients of softplus are the central differences in single precision") {
  checkUnary<float>(softplusOf);
  checkUnary<Tensor<float>>(softplusOf);
}
