#include <tapestry/deeplearning/operations/silu.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::FloatWeight;
using tapestry::Tensor;
using tapestry::TensorWeight;

static_assert(std::same_as<decltype(tapestry::silu(1.0)), double>);
static_assert(std::same_as<decltype(tapestry::silu(1.0F)), float>);
static_assert(std::same_as<decltype(tapestry::silu(Tensor<float>())), Tensor<float>>);
static_assert(std::same_as<decltype(tapestry::silu(FloatWeight(1))), tapestry::FloatLayer>);
static_assert(std::same_as<decltype(tapestry::silu(TensorWeight({}))), tapestry::TensorLayer>);

namespace {

constexpr auto siluOf = [](const auto& x) { return tapestry::silu(x); };

}  // namespace

TEST_CASE("silu is the product of its operand and its sigmoid") {
  CHECK(tapestry::silu(0.0) == 0);
  CHECK(valueOf(tapestry::silu(DoubleLayer(1))) == doctest::Approx(0.7310585786300049).epsilon(1e-14));
  const auto y = valueOf(tapestry::silu(DoubleTensorLayer(Tensor<double>({2}, {-1, 2}))));
  CHECK(y(0) == doctest::Approx(-0.2689414213699951).epsilon(1e-14));
  CHECK(y(1) == doctest::Approx(1.7615941559557646).epsilon(1e-14));
}

TEST_CASE("silu and its derivative stay finite far from zero") {
  const TensorWeight w(Tensor<float>({3}, {-1e4F, 0, 1e4F}));
  CHECK(valueOf(tapestry::silu(w)) == Tensor<float>({3}, {0, 0, 1e4F}));
  CHECK(gradients(silu(w)).blockingAwait().of(w) == Tensor<float>({3}, {0, 0.5F, 1}));
}

TEST_CASE("silu and its derivative have their limits at infinity, and NaN comes through") {
  constexpr float inf = std::numeric_limits<float>::infinity();
  const Tensor<float> x({3}, {-inf, inf, std::numeric_limits<float>::quiet_NaN()});
  const auto y = tapestry::silu(x);
  const auto dy = tapestry::kernels::siluDerivative(Tensor<float>::full({3}, 1), x);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(y(i) == (i == 0 ? 0 : inf));
    CHECK(dy(i) == (i == 0 ? 0.0F : 1.0F));
    CHECK(tapestry::silu(x(i)) == y(i));
    CHECK(tapestry::kernels::siluDerivative(1.0F, x(i)) == dy(i));
  }
  CHECK(std::isnan(y(2)));
  CHECK(std::isnan(dy(2)));
  CHECK(std::isnan(tapestry::silu(x(2))));
}

TEST_CASE("the gradients of silu are the central differences") {
  checkUnary<double>(siluOf);
  checkUnary<Tensor<double>>(siluOf);
}

TEST_CASE("the gradients of silu are the central differences in single precision") {
  checkUnary<float>(siluOf);
  checkUnary<Tensor<float>>(siluOf);
}
