#include <tapestry/deeplearning/operations/gelu.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::FloatWeight;
using tapestry::Tensor;
using tapestry::TensorWeight;

static_assert(std::same_as<decltype(tapestry::gelu(1.0)), double>);
static_assert(std::same_as<decltype(tapestry::gelu(1.0F)), float>);
static_assert(std::same_as<decltype(tapestry::gelu(Tensor<float>())), Tensor<float>>);
static_assert(std::same_as<decltype(tapestry::gelu(FloatWeight(1))), tapestry::FloatLayer>);
static_assert(std::same_as<decltype(tapestry::gelu(TensorWeight({}))), tapestry::TensorLayer>);

namespace {

constexpr auto geluOf = [](const auto& x) { return tapestry::gelu(x); };

}  // namespace

TEST_CASE("gelu has the values of its form with tanh") {
  CHECK(tapestry::gelu(0.0) == 0);
  CHECK(valueOf(tapestry::gelu(DoubleLayer(1))) == doctest::Approx(0.8411919906082768).epsilon(1e-13));
  const auto y = valueOf(tapestry::gelu(DoubleTensorLayer(Tensor<double>({2}, {-1, 2}))));
  CHECK(y(0) == doctest::Approx(-0.15880800939172324).epsilon(1e-13));
  CHECK(y(1) == doctest::Approx(1.954597694087775).epsilon(1e-13));
}

TEST_CASE("gelu is within 0.0005 of the form with the error function") {
  for (double x = -6; x < 6; x += 0.01)
    CHECK(std::abs(tapestry::gelu(x) - x / 2 * (1 + std::erf(x / std::sqrt(2.0)))) < 0.0005);
}

TEST_CASE("gelu and its derivative stay finite far from zero") {
  const TensorWeight w(Tensor<float>({3}, {-1e4F, 0, 1e4F}));
  CHECK(valueOf(tapestry::gelu(w)) == Tensor<float>({3}, {0, 0, 1e4F}));
  CHECK(gradients(gelu(w)).blockingAwait().of(w) == Tensor<float>({3}, {0, 0.5F, 1}));
}

TEST_CASE("gelu and its derivative have their limits at infinity, and NaN comes through") {
  constexpr float inf = std::numeric_limits<float>::infinity();
  const Tensor<float> x({3}, {-inf, inf, std::numeric_limits<float>::quiet_NaN()});
  const auto y = tapestry::gelu(x);
  const auto dy = tapestry::kernels::geluDerivative(Tensor<float>::full({3}, 1), x);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(y(i) == (i == 0 ? 0 : inf));
    CHECK(dy(i) == (i == 0 ? 0.0F : 1.0F));
    CHECK(tapestry::gelu(x(i)) == y(i));
    CHECK(tapestry::kernels::geluDerivative(1.0F, x(i)) == dy(i));
  }
  CHECK(std::isnan(y(2)));
  CHECK(std::isnan(dy(2)));
  CHECK(std::isnan(tapestry::gelu(x(2))));
}

TEST_CASE("the gradients of gelu are the central differences") {
  checkUnary<double>(geluOf);
  checkUnary<Tensor<double>>(geluOf);
}

TEST_CASE("the gradients of gelu are the central differences in single precision") {
  checkUnary<float>(geluOf);
  checkUnary<Tensor<float>>(geluOf);
}
