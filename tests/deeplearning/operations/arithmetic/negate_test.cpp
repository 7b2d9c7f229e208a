#include <tapestry/deeplearning/operations/arithmetic/negate.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;

TEST_CASE("negate changes the sign") {
  checkElementwise([](const auto& x) { return -x; }, {.exact = {{3, -3}, {1, -1}, {-2, 2}}});
}
