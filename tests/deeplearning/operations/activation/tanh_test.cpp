#include <tapestry/deeplearning/operations/activation/tanh.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;

TEST_CASE("tanh is the hyperbolic tangent") {
  checkElementwise([](const auto& x) { return tapestry::tanh(x); },
                   {.exact = {{0, 0}},
                    .near = {{1, 0.7615941559557649}, {-1, -0.7615941559557649}, {2, 0.9640275800758169}}});
}
