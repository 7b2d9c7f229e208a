#include <tapestry/deeplearning/optimizers/l2.hpp>

#include "deeplearning/optimizers/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("ten steps of sgd after l2 are those of the formula") {
  checkTable(tables::l2, chain(l2(0.5), sgd(0.1)));
}

TEST_CASE("l2 is the derivative of a penalty of half its factor times the square") {
  const DoubleWeight penalised(1.5, sgd(0.1));
  const DoubleWeight chained(1.5, chain(l2(0.25), sgd(0.1)));
  train(3.0 * penalised + 0.125 * penalised * penalised).blockingAwait();
  train(3.0 * chained).blockingAwait();
  CHECK(chained.data() == doctest::Approx(penalised.data()).epsilon(1e-15));
}

TEST_CASE("l2 refuses a factor that is negative or not a number") {
  CHECK(errorOf([] { l2(infinity); }) ==
        "tapestry::l2: the factor is out of range, got inf, expected a finite number of at least 0");
  CHECK_THROWS_AS(l2(-1), std::invalid_argument);
  CHECK_THROWS_AS(l2(-notANumber), std::invalid_argument);
}
