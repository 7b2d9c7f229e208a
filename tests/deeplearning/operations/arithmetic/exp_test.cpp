#include <tapestry/deeplearning/operations/arithmetic/exp.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;

TEST_CASE("exp is the exponential") {
  checkElementwise([](const auto& x) { return tapestry::exp(x); },
                   {.exact = {{0, 1}},
                    .near = {{1, 2.718281828459045}, {-1, 0.36787944117144233}, {2, 7.38905609893065}}});
}
