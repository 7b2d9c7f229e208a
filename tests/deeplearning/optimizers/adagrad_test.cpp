#include <tapestry/deeplearning/optimizers/adagrad.hpp>

#include "deeplearning/optimizers/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("ten steps of adagrad are those of the formula") {
  checkTable(tables::adagrad, adagrad({.learningRate = 0.5}));
}

TEST_CASE("adagrad leaves a weight whose gradients were all 0 as it was") {
  const DoubleWeight w(3, adagrad({.learningRate = 0.5}));
  train(0.0 * w).blockingAwait();
  CHECK(w.data() == 3);
}

TEST_CASE("adagrad refuses an epsilon that does not keep it from dividing by 0") {
  CHECK(errorOf([] { adagrad({.epsilon = 0}); }) ==
        "tapestry::adagrad: epsilon is out of range, got 0, expected more than 0");
  CHECK_THROWS_AS(adagrad({.epsilon = -1}), std::invalid_argument);
  CHECK_THROWS_AS(adagrad({.epsilon = notANumber}), std::invalid_argument);
}
