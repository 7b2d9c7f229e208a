#include <tapestry/deeplearning/operations/arithmetic/expm1.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;

TEST_CASE("expm1 is the exponential minus one, keeps the digits near zero, and approaches minus one") {
  checkElementwise([](const auto& x) { return tapestry::expm1(x); },
                   {.exact = {{0, 0}, {1e-20, 1e-20, 1}, {-1e4, -1, 0}},
                    .near = {{1, 1.718281828459045}, {-1, -0.6321205588285577}, {2, 6.38905609893065}}});
}
