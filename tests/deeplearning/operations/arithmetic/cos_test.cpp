#include <tapestry/deeplearning/operations/arithmetic/cos.hpp>

#include <numbers>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;

TEST_CASE("cos is the cosine of radians") {
  checkElementwise(
      [](const auto& x) { return tapestry::cos(x); },
      {.near = {{0, 1}, {1, 0.5403023058681398}, {-0.5, 0.8775825618903728}, {2, -0.4161468365471424}},
       .from = {.low = -4, .high = 4}});
}

TEST_CASE("cos of a number is exact at zero, and its derivative minus the sine") {
  CHECK(tapestry::cos(0.0) == 1);
  const tapestry::DoubleWeight w(std::numbers::pi / 2);
  CHECK(gradients(cos(w)).blockingAwait().of(w) == -1);
}
