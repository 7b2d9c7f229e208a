#include <tapestry/deeplearning/operations/activation/sigmoid.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;

TEST_CASE("sigmoid is the logistic function, finite far from zero") {
  checkElementwise([](const auto& x) { return tapestry::sigmoid(x); },
                   {.exact = {{0, 0.5}, {-1e4, 0, 0}, {1e4, 1, 0}},
                    .near = {{1, 0.7310585786300049}, {-1, 0.2689414213699951}, {2, 0.8807970779778823}}});
}
