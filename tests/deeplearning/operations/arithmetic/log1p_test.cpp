#include <tapestry/deeplearning/operations/arithmetic/log1p.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;

TEST_CASE("log1p is the logarithm of one more, keeps the digits near zero, and has its pole at minus one") {
  checkElementwise([](const auto& x) { return tapestry::log1p(x); },
                   {.exact = {{0, 0}, {1e-20, 1e-20}, {-1, -infinity}, {-2, notANumber}},
                    .near = {{1, 0.6931471805599453}, {-0.5, -0.6931471805599453}, {2, 1.0986122886681096}},
                    .from = {.low = -0.5, .high = 3}});
}
