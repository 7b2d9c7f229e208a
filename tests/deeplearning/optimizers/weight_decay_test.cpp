#include <tapestry/deeplearning/optimizers/weight_decay.hpp>

#include "deeplearning/optimizers/support.hpp"
#include "tapestry/deeplearning/optimizers/adam.hpp"
#include "tapestry/deeplearning/optimizers/clip_by_value.hpp"
#include "tapestry/deeplearning/optimizers/l1.hpp"
#include "tapestry/deeplearning/optimizers/l2.hpp"
#include "tapestry/deeplearning/optimizers/momentum.hpp"
#include "tapestry/deeplearning/optimizers/step_decay.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("ten steps of momentum beside weightDecay are those of the formula") {
  checkTable(tables::weightDecay,
             chain(weightDecay(0.05), momentum({.learningRate = 0.05, .momentum = 0.9})));
}

TEST_CASE("ten steps of a chain of everything are those of the formula") {
  checkTable(tables::chained, chain(clipByValue(3), weightDecay(0.02), l2(0.1), l1(0.2),
                                    adam({.learningRate = 0.3, .beta1 = 0.8, .beta2 = 0.95})));
}

TEST_CASE("the rule's rate does not scale the decay") {
  for (const double rate : {0.0, 0.5}) {
    const DoubleWeight w(8, chain(weightDecay(0.25), sgd(rate)));
    train(w * 2.0).blockingAwait();
    CHECK(w.data() == 6 - 2 * rate);
  }
}

TEST_CASE("a decay may have a schedule") {
  const DoubleWeight w(8, chain(weightDecay(stepDecay({.initial = 0.5, .factor = 0, .every = 1})), sgd(1)));
  for (int i = 0; i < 3; ++i) train(w * 0.0).blockingAwait();
  CHECK(w.data() == 4);
}

TEST_CASE("weightDecay refuses a decay that is not a number") {
  CHECK_THROWS_AS(weightDecay(notANumber), std::invalid_argument);
}
