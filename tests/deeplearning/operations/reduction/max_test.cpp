#include <tapestry/deeplearning/operations/reduction/max.hpp>

#include "deeplearning/operations/binary.hpp"
#include "deeplearning/operations/reduction/support.hpp"

using namespace tapestry::test;

TEST_CASE("max takes scalars, tensors and both, and passes the delta to both operands") {
  checkBroadcast([](const auto& x, const auto& y) { return tapestry::max(x, y); },
                 {.name = "max",
                  .ofScalars = 6,
                  .withRow = {2, 4, 3, 4},
                  .scalarRight = {2, 2, 3, 4},
                  .scalarLeft = {2, 2, 3, 4}});
}

TEST_CASE("max chooses among operands and elements, which get the delta") {
  checkChoice([](const auto&... x) { return tapestry::max(x...); }, "max");
}
