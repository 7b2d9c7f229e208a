#include <tapestry/deeplearning/operations/activation/silu.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;

TEST_CASE("silu is the product of its operand and its sigmoid, finite far from zero") {
  checkElementwise([](const auto& x) { return tapestry::silu(x); },
                   {.exact = {{0, 0, 0.5}, {-1e4, 0, 0}, {1e4, 1e4, 1}},
                    .near = {{1, 0.7310585786300049}, {-1, -0.2689414213699951}, {2, 1.7615941559557646}}});
}

TEST_CASE("silu and its derivative have their limits at infinity, and NaN comes through") {
  checkLimits([](const auto& x) { return tapestry::silu(x); },
              [](const auto& delta, const auto& x) { return tapestry::kernels::siluDerivative(delta, x); });
}
