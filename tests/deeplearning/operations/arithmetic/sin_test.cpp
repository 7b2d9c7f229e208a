#include <tapestry/deeplearning/operations/arithmetic/sin.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;

TEST_CASE("sin is the sine of radians, and its derivative the cosine") {
  checkElementwise(
      [](const auto& x) { return tapestry::sin(x); },
      {.exact = {{0, 0}},
       .near = {{0, 0, 1}, {1, 0.8414709848078965}, {-0.5, -0.479425538604203}, {2, 0.9092974268256817}},
       .from = {.low = -4, .high = 4}});
}

TEST_CASE("the derivative of sin of a number is exact at zero") {
  const tapestry::DoubleWeight w(0);
  CHECK(gradients(sin(w)).blockingAwait().of(w) == 1);
}
