#include <tapestry/deeplearning/operations/arithmetic/log.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;

TEST_CASE("log is the natural logarithm, of zero minus infinity, of less not a number") {
  checkElementwise([](const auto& x) { return tapestry::log(x); },
                   {.exact = {{1, 0}, {0, -infinity}, {-1, notANumber}},
                    .near = {{10, 2.302585092994046}, {0.5, -0.6931471805599453}, {2, 0.6931471805599453}},
                    .from = {.low = 0.3},
                    .fromInFloat = {.low = 0.5}});
}
