#include <tapestry/deeplearning/optimizers/clip_by_value.hpp>

#include <cmath>

#include "deeplearning/optimizers/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("ten steps of sgd after clipByValue are those of the formula") {
  checkTable(tables::clipByValue, chain(clipByValue(2), sgd(0.1)));
}

TEST_CASE("each element is clipped for itself, and NaN stays NaN") {
  ClipByValue::State<Tensor<double>> state;
  const auto clipped = clipByValue(2).transform(Tensor<double>({6}, {3, -3, 2, -1, -infinity, notANumber}),
                                                Tensor<double>::zeros({6}), state);
  CHECK(clipped(0) == 2);
  CHECK(clipped(1) == -2);
  CHECK(clipped(2) == 2);
  CHECK(clipped(3) == -1);
  CHECK(clipped(4) == -2);
  CHECK(std::isnan(clipped(5)));
}

TEST_CASE("clipByValue refuses a limit that is not positive") {
  CHECK(errorOf([] { clipByValue(0); }) ==
        "tapestry::clipByValue: the limit is out of range, got 0, expected more than 0");
  CHECK(errorOf([] { clipByValue(-notANumber); }) ==
        "tapestry::clipByValue: the limit is out of range, got nan, expected more than 0");
  CHECK_THROWS_AS(clipByValue(-1), std::invalid_argument);
}
