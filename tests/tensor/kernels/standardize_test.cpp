#include <tapestry/tensor/kernels/standardize.hpp>

#include <tapestry/tensor/shape_error.hpp>

#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE_TEMPLATE("standardized rows have the mean 0 and the variance 1, on each instruction set", T, float,
                   double) {
  onEachInstructionSet([] {
    Random random(26);
    for (std::size_t n = 2; n < 40; ++n) {
      const auto y = kernels::standardize(random.tensor<T>({3, n}, 90, 110), {.epsilon = 0});
      for (std::size_t row = 0; row < 3; ++row) {
        double sum = 0;
        double squares = 0;
        for (std::size_t i = 0; i < n; ++i) {
          sum += static_cast<double>(y(row, i));
          squares += static_cast<double>(y(row, i)) * static_cast<double>(y(row, i));
        }
        const double most = std::same_as<T, float> ? 1e-3 : 1e-11;
        CHECK(std::abs(sum) < most);
        CHECK(squares / static_cast<double>(n) == doctest::Approx(1).epsilon(most));
      }
    }
  });
}

TEST_CASE("rows and other axes are standardized alike, and so are their derivatives") {
  Random random(27);
  const auto x = random.tensor<double>({3, 4});
  const auto delta = random.tensor<double>({3, 4});
  const auto turned = [](const Tensor<double>& a) {
    auto result = Tensor<double>::uninitialized({a.shape()[1], a.shape()[0]});
    for (std::size_t i = 0; i < a.size(); ++i)
      result.exclusiveData()[i % a.shape()[1] * a.shape()[0] + i / a.shape()[1]] = a.data()[i];
    return result;
  };
  const auto near = [](const Tensor<double>& a, const Tensor<double>& b) {
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!isNear(a.data()[i], b.data()[i], 8)) return false;
    return a.shape() == b.shape();
  };
  CHECK(near(kernels::standardize(turned(x), {.axes = {0}}), turned(kernels::standardize(x, {}))));
  CHECK(near(kernels::standardizeDerivative(turned(delta), turned(x), {.axes = {0}}),
             turned(kernels::standardizeDerivative(delta, x, {}))));
}

TEST_CASE("large values with a small spread are standardized") {
  const auto y = kernels::standardize(Tensor<float>({2}, {10001, 10003}), {});
  CHECK(y(0) == doctest::Approx(-1).epsilon(1e-4));
  CHECK(y(1) == doctest::Approx(1).epsilon(1e-4));
}

TEST_CASE("the derivative of standardize refuses a delta of another shape") {
  CHECK_THROWS_WITH_AS(
      kernels::standardizeDerivative(Tensor<float>::zeros({2}), Tensor<float>::zeros({3}), {}),
      "tapestry::layerNorm: the shapes differ, got [2], expected [3]", tapestry::ShapeError);
}
