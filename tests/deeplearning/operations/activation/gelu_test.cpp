#include <tapestry/deeplearning/operations/activation/gelu.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;

TEST_CASE("gelu has the values of its form with tanh, finite far from zero") {
  checkElementwise([](const auto& x) { return tapestry::gelu(x); },
                   {.exact = {{0, 0, 0.5}, {-1e4, 0, 0}, {1e4, 1e4, 1}},
                    .near = {{1, 0.8411919906082768}, {-1, -0.15880800939172324}, {2, 1.954597694087775}},
                    .epsilon = 1e-13});
}

TEST_CASE("gelu is within 0.0005 of the form with the error function") {
  for (double x = -6; x < 6; x += 0.01)
    CHECK(std::abs(tapestry::gelu(x) - x / 2 * (1 + std::erf(x / std::sqrt(2.0)))) < 0.0005);
}

TEST_CASE("gelu and its derivative have their limits at infinity, and NaN comes through") {
  checkLimits([](const auto& x) { return tapestry::gelu(x); },
              [](const auto& delta, const auto& x) { return tapestry::kernels::geluDerivative(delta, x); });
}
