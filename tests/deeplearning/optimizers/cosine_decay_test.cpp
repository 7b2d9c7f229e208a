#include <tapestry/deeplearning/optimizers/cosine_decay.hpp>

#include "deeplearning/optimizers/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("ten steps at a rate of cosineDecay are those of the formula") {
  checkTable(tables::cosineDecay, sgd(cosineDecay({.initial = 0.3, .last = 0.05, .steps = 8})));
}

TEST_CASE("cosineDecay goes from the first to the last, by way of their mean, and stays there") {
  const CosineDecay schedule = cosineDecay({.initial = 3, .last = 1, .steps = 100});
  CHECK(schedule.rate(0) == 3);
  CHECK(schedule.rate(50) == doctest::Approx(2));
  CHECK(schedule.rate(100) == 1);
  CHECK(schedule.rate(1000) == 1);
}

TEST_CASE("cosineDecay refuses parameters that are out of range") {
  CHECK(errorOf([] { cosineDecay({.steps = 0}); }) ==
        "tapestry::cosineDecay: steps is out of range, got 0, expected more than 0");
  CHECK_THROWS_AS(cosineDecay({.initial = infinity}), std::invalid_argument);
  CHECK_THROWS_AS(cosineDecay({.last = notANumber}), std::invalid_argument);
}

TEST_CASE("a CosineDecay without its steps fails the step, and not the program") {
  CHECK(errorOf([] { static_cast<void>(CosineDecay{.initial = 0.1}.rate(3)); }) ==
        "tapestry::cosineDecay: steps is out of range, got 0, expected more than 0");
  const DoubleWeight w(1, sgd(CosineDecay{.initial = 0.1}));
  CHECK_THROWS_AS(train(w * 2.0).blockingAwait(), std::invalid_argument);
  CHECK(w.data() == 1);
}
