#include <tapestry/deeplearning/operations/arithmetic/abs.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;

TEST_CASE("abs is the absolute value, and no delta passes it at zero") {
  checkElementwise(
      [](const auto& x) { return tapestry::abs(x); },
      {.exact = {{-2.5, 2.5}, {-1, 1}, {0, 0, 0}, {2, 2}, {-3, 3}}, .from = {.low = 0.1, .mirrored = true}});
}
