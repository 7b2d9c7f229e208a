#include <tapestry/deeplearning/operations/arithmetic/sqrt.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;

TEST_CASE(
    "sqrt is the square root, NaN of negative values, and its derivative half the inverse of its output") {
  checkElementwise([](const auto& x) { return tapestry::sqrt(x); }, {.exact = {{2.25, 1.5},
                                                                               {-1, notANumber},
                                                                               {9, 3},
                                                                               {0, 0, infinity},
                                                                               {1, 1},
                                                                               {4, 2, 0.25},
                                                                               {0.25, 0.5, 1},
                                                                               {6.25, 2.5}},
                                                                     .from = {.low = 0.5, .high = 4}});
}
