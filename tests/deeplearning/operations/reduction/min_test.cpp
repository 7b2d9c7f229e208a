#include <tapestry/deeplearning/operations/reduction/min.hpp>

#include "deeplearning/operations/binary.hpp"
#include "deeplearning/operations/reduction/support.hpp"

using namespace tapestry::test;

TEST_CASE("min takes scalars, tensors and both, and passes the delta to both operands") {
  checkBroadcast([](const auto& x, const auto& y) { return tapestry::min(x, y); },
                 {.name = "min",
                  .ofScalars = 4,
                  .withRow = {1, 2, 2, 4},
                  .scalarRight = {1, 2, 2, 2},
                  .scalarLeft = {1, 2, 2, 2}});
}

TEST_CASE("min chooses among operands and elements, which get the delta") {
  checkChoice([](const auto&... x) { return tapestry::min(x...); }, "min");
}
