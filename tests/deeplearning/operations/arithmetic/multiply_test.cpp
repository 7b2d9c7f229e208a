#include <tapestry/deeplearning/operations/arithmetic/multiply.hpp>

#include "deeplearning/operations/binary.hpp"

using namespace tapestry::test;

TEST_CASE("multiplication takes scalars, tensors and both, and passes the delta to both operands") {
  checkBroadcast([](const auto& x, const auto& y) { return x * y; }, {.name = "multiply",
                                                                      .ofScalars = 24,
                                                                      .withRow = {2, 8, 6, 16},
                                                                      .scalarRight = {2, 4, 6, 8},
                                                                      .scalarLeft = {2, 4, 6, 8}});
}
