#include <tapestry/deeplearning/optimizers/adam_w.hpp>

#include "deeplearning/optimizers/support.hpp"
#include "tapestry/deeplearning/optimizers/cosine_decay.hpp"
#include "tapestry/deeplearning/optimizers/weight_decay.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("ten steps of adamW are those of the formula") {
  checkTable(tables::adamW, adamW({.learningRate = 0.3, .beta1 = 0.8, .beta2 = 0.95, .weightDecay = 0.1}));
}

TEST_CASE("adamW without decay is adam") {
  checkTable(tables::adam, adamW({.learningRate = 0.3, .beta1 = 0.8, .beta2 = 0.95, .weightDecay = 0}));
}

TEST_CASE("adamW is adam beside a weightDecay of its rate times its factor") {
  checkTable(tables::adamW,
             chain(weightDecay(0.3 * 0.1), adam({.learningRate = 0.3, .beta1 = 0.8, .beta2 = 0.95})));
}

TEST_CASE("adamW's schedule scales its decay too") {
  const CosineDecay schedule = cosineDecay({.initial = 0.5, .steps = 2});
  const DoubleWeight w(1, adamW({.learningRate = schedule, .weightDecay = 0.5}));
  for (const double expected : {0.75, 0.75 * 0.875, 0.75 * 0.875}) {
    train(0.0 * w).blockingAwait();
    CHECK(w.data() == doctest::Approx(expected).epsilon(1e-15));
  }
}

TEST_CASE("adamW refuses parameters that are out of range") {
  CHECK(errorOf([] { adamW({.beta1 = 1.5}); }) ==
        "tapestry::adamW: beta1 is out of range, got 1.5, expected at least 0 and less than 1");
  CHECK(errorOf([] { adamW({.weightDecay = -0.1}); }) ==
        "tapestry::adamW: weightDecay is out of range, got -0.1, expected a finite number of at least 0");
  CHECK_THROWS_AS(adamW({.beta2 = 1}), std::invalid_argument);
  CHECK_THROWS_AS(adamW({.epsilon = 0}), std::invalid_argument);
  CHECK_THROWS_AS(adamW({.weightDecay = notANumber}), std::invalid_argument);
}
