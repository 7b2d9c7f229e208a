#include <tapestry/deeplearning/optimizers/l1.hpp>

#include "deeplearning/optimizers/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("ten steps of sgd after l1 are those of the formula") {
  checkTable(tables::l1, chain(l1(0.5), sgd(0.1)));
}

TEST_CASE("l1 leaves a weight of 0 alone") {
  const DoubleTensorWeight w(Tensor<double>({3}, {0, 2, -2}), chain(l1(0.5), sgd(1)));
  train(0.0 * sum(w)).blockingAwait();
  CHECK(w.data() == Tensor<double>({3}, {0, 1.5, -1.5}));
}

TEST_CASE("l1 refuses a factor that is negative or not a number") {
  CHECK(errorOf([] { l1(-1); }) ==
        "tapestry::l1: the factor is out of range, got -1, expected a finite number of at least 0");
  CHECK_THROWS_AS(l1(notANumber), std::invalid_argument);
}
