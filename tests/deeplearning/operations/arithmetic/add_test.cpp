#include <tapestry/deeplearning/operations/arithmetic/add.hpp>

#include "deeplearning/operations/binary.hpp"

using namespace tapestry::test;

TEST_CASE("addition takes scalars, tensors and both, and passes the delta to both operands") {
  checkBroadcast([](const auto& x, const auto& y) { return x + y; }, {.name = "add",
                                                                      .ofScalars = 10,
                                                                      .withRow = {3, 6, 5, 8},
                                                                      .scalarRight = {3, 4, 5, 6},
                                                                      .scalarLeft = {3, 4, 5, 6}});
}
