#include <tapestry/deeplearning/operations/arithmetic/divide.hpp>

#include "deeplearning/operations/binary.hpp"

using namespace tapestry::test;

TEST_CASE("division takes scalars, tensors and both, and passes the delta to both operands") {
  checkBroadcast([](const auto& x, const auto& y) { return x / y; },
                 {.name = "divide",
                  .ofScalars = 1.5,
                  .withRow = {0.5, 0.5, 1.5, 1},
                  .scalarRight = {0.5, 1, 1.5, 2},
                  .scalarLeft = {2, 1, 2.0 / 3, 0.5},
                  .right = {.low = 0.5, .mirrored = true}});
}

TEST_CASE("the gradients of division are right where the square of the divisor overflows") {
  const tapestry::DoubleWeight x(3e200);
  const tapestry::DoubleWeight y(1e200);
  const auto exact = gradients(x / y).blockingAwait();
  CHECK(exact.of(x) == doctest::Approx(1e-200).epsilon(1e-12));
  CHECK(exact.of(y) * 1e200 == doctest::Approx(-3).epsilon(1e-12));
}
