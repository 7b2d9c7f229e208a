#include <tapestry/tensor/kernels/formula.hpp>

#include <doctest/doctest.h>

#include <array>
#include <concepts>

#include <tapestry/tensor/shape_error.hpp>

#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

const auto mixed = [](auto a, auto b, auto c) { return where(a > 0, a * b, c) + max(b, 0); };

static_assert(std::same_as<kernels::FormulaElement<float, double>::Type, double>);
static_assert(std::same_as<kernels::FormulaElement<double, Tensor<float>>::Type, float>);
static_assert(std::same_as<kernels::FormulaElement<Tensor<double>, double, Tensor<double>>::Type, double>);
static_assert(!kernels::HasFormulaElement<Tensor<float>, Tensor<double>>);
static_assert(!kernels::HasFormulaElement<double, Tensor<float>, Tensor<double>>);

}  // namespace

TEST_CASE_TEMPLATE("a formula of tensors that broadcast is that of each element", T, float, double) {
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    const Shape shape = random.shape();
    const auto a = random.tensor<T>(random.stretching(shape)), b = random.tensor<T>(shape);
    const auto c = random.tensor<T>(random.stretching(shape));
    const auto result = kernels::evaluate("mixed", mixed, a, b, c);
    REQUIRE(result.shape() == shape);
    const auto wideA = kernels::broadcastTo(a, shape), wideC = kernels::broadcastTo(c, shape);
    for (std::size_t i = 0; i < result.size(); ++i)
      CHECK(result.data()[i] == doctest::Approx(kernels::evaluate("mixed", mixed, wideA.data()[i],
                                                                  b.data()[i], wideC.data()[i])));
  }
}

TEST_CASE("scalars take the element type of tensors, alone they give a scalar") {
  const auto scaled = [](auto x, auto factor) { return x * factor; };
  const auto result = kernels::evaluate("scaled", scaled, Tensor<float>({2}, {1, 2}), 0.1);
  static_assert(std::same_as<decltype(result), const Tensor<float>>);
  CHECK(result == Tensor<float>({2}, {0.1F, 0.2F}));
  static_assert(std::same_as<decltype(kernels::evaluate("scaled", scaled, 2.0F, 3.0F)), float>);
  CHECK(kernels::evaluate("scaled", scaled, 2.0, 3.0F) == 6);
}

TEST_CASE("shapes that do not broadcast are an error that names the operation") {
  const auto sum = [](auto a, auto b) { return a + b; };
  CHECK_THROWS_WITH_AS(kernels::evaluate("sum", sum, Tensor<float>::zeros({2}), Tensor<float>::zeros({3})),
                       doctest::Contains("sum"), ShapeError);
}

TEST_CASE_TEMPLATE("the deltas of the operands that want them are found in one pass", T, float, double) {
  const auto product = [](auto a, auto b) { return a * b; };
  const kernels::DualGradient<decltype(product)> gradient{product};
  const Tensor<T> delta({2, 2}, {1, 2, 3, 4}), a({2, 2}, {1, 2, 3, 4}), b({2}, {10, 20});
  const auto both = kernels::differentiate(gradient, delta, std::array{true, true}, a, b);
  CHECK(both[0] == Tensor<T>({2, 2}, {10, 40, 30, 80}));
  CHECK(both[1] == Tensor<T>({2, 2}, {1, 4, 9, 16}));
  const auto one = kernels::differentiate(gradient, delta, std::array{false, true}, a, b);
  CHECK(one[0] == Tensor<T>());
  CHECK(one[1] == both[1]);
  CHECK(kernels::differentiate(gradient, T(2), std::array{true, true}, T(3), T(5)) ==
        std::array<T, 2>{10, 6});
}
