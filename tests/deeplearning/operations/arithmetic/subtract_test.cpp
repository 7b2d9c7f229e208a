#include <tapestry/deeplearning/operations/arithmetic/subtract.hpp>

#include "deeplearning/operations/binary.hpp"

using namespace tapestry::test;

TEST_CASE("subtraction takes scalars, tensors and both, and passes the delta to both operands") {
  checkBroadcast([](const auto& x, const auto& y) { return x - y; }, {.name = "subtract",
                                                                      .ofScalars = 2,
                                                                      .withRow = {-1, -2, 1, 0},
                                                                      .scalarRight = {-1, 0, 1, 2},
                                                                      .scalarLeft = {1, 0, -1, -2}});
}
