#include <tapestry/deeplearning/operations/arithmetic/clamp.hpp>

#include <stdexcept>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleWeight;
using tapestry::Tensor;

TEST_CASE("clamp moves values out of bounds to the bound") {
  checkElementwise([](const auto& x) { return tapestry::clamp(x, -1, 1); },
                   {.exact = {{2.5, 1},
                              {0.5, 0.5},
                              {-3, -1},
                              {-2, -1, 0},
                              {-1, -1, 0.5},
                              {0, 0, 1},
                              {1, 1, 0.5},
                              {2, 1, 0},
                              {notANumber, notANumber}},
                    .from = {.low = -0.9, .high = 0.9}});
}

TEST_CASE("the gradients of clamp are the central differences outside of the bounds too") {
  const auto clampOf = [](const auto& x) { return tapestry::clamp(x, -0.5, 0.5); };
  const From outside{.low = 0.6, .mirrored = true};
  checkUnary<double>(clampOf, outside);
  checkUnary<Tensor<double>>(clampOf, outside);
  checkUnary<float>(clampOf, outside);
}

TEST_CASE("bounds of clamp that are in the wrong order are refused") {
  const char* const message =
      "tapestry::clamp: the bounds are in the wrong order, got 2 and 1.5, expected low <= high";
  CHECK_THROWS_WITH_AS(tapestry::clamp(DoubleWeight(1), 2, 1.5), message, std::invalid_argument);
  CHECK_THROWS_WITH_AS(tapestry::clamp(1.0, 2, 1.5), message, std::invalid_argument);
  CHECK_THROWS_AS(tapestry::clamp(1.0, notANumber, 1), std::invalid_argument);
  CHECK(tapestry::clamp(2.0, 1, 1) == 1);
}
