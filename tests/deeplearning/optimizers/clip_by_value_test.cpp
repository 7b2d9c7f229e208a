#include <tapestry/deeplearning/optimizers/clip_by_value.hpp>

#include <cmath>

#include "deeplearning/optimizers/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("ten steps of sgd after clipByValue are those of the formula") {
  checkTable(tables::clipByValue, chain(clipByValue(2), sgd(0.1)));
}

TEST_CASE("each element is clipped for itself, and what is not a number stays so") {
  const DoubleTensorWeight w(Tensor<double>::zeros({6}), chain(clipByValue(2), sgd(-1)));
  train(sum(w * Tensor<double>({6}, {3, -3, 2, -1, -infinity, notANumber}))).blockingAwait();
  CHECK(w.data()(0) == 2);
  CHECK(w.data()(1) == -2);
  CHECK(w.data()(2) == 2);
  CHECK(w.data()(3) == -1);
  CHECK(w.data()(4) == -2);
  CHECK(std::isnan(w.data()(5)));
}

TEST_CASE("clipByValue refuses a limit that is not positive") {
  CHECK(errorOf([] { clipByValue(0); }) ==
        "tapestry::clipByValue: the limit is out of range, got 0, expected more than 0");
  CHECK(errorOf([] { clipByValue(-notANumber); }) ==
        "tapestry::clipByValue: the limit is out of range, got nan, expected more than 0");
  CHECK_THROWS_AS(clipByValue(-1), std::invalid_argument);
}
