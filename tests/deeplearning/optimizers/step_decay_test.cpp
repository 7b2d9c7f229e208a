#include <tapestry/deeplearning/optimizers/step_decay.hpp>

#include "deeplearning/optimizers/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("ten steps at a rate of stepDecay are those of the formula") {
  checkTable(tables::stepDecay, sgd(stepDecay({.initial = 0.2, .factor = 0.5, .every = 3})));
}

TEST_CASE("stepDecay lowers the rate once in each period") {
  const StepDecay schedule = stepDecay({.initial = 8, .factor = 0.5, .every = 100});
  CHECK(schedule.rate(0) == 8);
  CHECK(schedule.rate(99) == 8);
  CHECK(schedule.rate(100) == 4);
  CHECK(schedule.rate(399) == 1);
}

TEST_CASE("stepDecay refuses parameters that are out of range") {
  CHECK(errorOf([] { stepDecay({.initial = 0.1}); }) ==
        "tapestry::stepDecay: every is out of range, got 0, expected more than 0");
  CHECK(errorOf([] { stepDecay({.every = 0}); }) ==
        "tapestry::stepDecay: every is out of range, got 0, expected more than 0");
  CHECK_THROWS_AS(stepDecay({.initial = notANumber}), std::invalid_argument);
  CHECK_THROWS_AS(stepDecay({.factor = -0.5}), std::invalid_argument);
}

TEST_CASE("a StepDecay without a period fails the step, and not the program") {
  CHECK(errorOf([] { static_cast<void>(StepDecay{.initial = 0.1}.rate(3)); }) ==
        "tapestry::stepDecay: every is out of range, got 0, expected more than 0");
  const DoubleWeight w(1, sgd(StepDecay{.initial = 0.1}));
  CHECK_THROWS_AS(train(w * 2.0).blockingAwait(), std::invalid_argument);
  CHECK(w.data() == 1);
}
