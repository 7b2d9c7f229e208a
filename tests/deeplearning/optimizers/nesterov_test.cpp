#include <tapestry/deeplearning/optimizers/nesterov.hpp>

#include "deeplearning/optimizers/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("ten steps of nesterov are those of the formula") {
  checkTable(tables::nesterov, nesterov({.learningRate = 0.05, .momentum = 0.9}));
}

TEST_CASE("nesterov without momentum is sgd") {
  checkTable(tables::sgd, nesterov({.learningRate = 0.1, .momentum = 0}));
}

TEST_CASE("nesterov refuses a momentum that grows") {
  CHECK(errorOf([] { nesterov({.momentum = 1.5}); }) ==
        "tapestry::nesterov: the momentum is out of range, got 1.5, expected at least 0 and at most 1");
  CHECK_THROWS_AS(nesterov({.momentum = notANumber}), std::invalid_argument);
}
