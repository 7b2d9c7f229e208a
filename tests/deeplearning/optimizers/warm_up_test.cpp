#include <tapestry/deeplearning/optimizers/warm_up.hpp>

#include "deeplearning/optimizers/support.hpp"
#include "tapestry/deeplearning/optimizers/cosine_decay.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("ten steps at a rate of warmUp and cosineDecay are those of the formula") {
  checkTable(tables::warmUp, sgd(warmUp(4, cosineDecay({.initial = 0.2, .steps = 5}))));
}

TEST_CASE("warmUp rises by equal amounts to a number, and stays there") {
  const WarmUp schedule = warmUp(3, 8);
  for (std::uint64_t step = 0; step < 4; ++step)
    CHECK(schedule.rate(step) == 2.0 * static_cast<double>(step + 1));
  CHECK(schedule.rate(100) == 8);
}

TEST_CASE("warmUp of no steps is the rate that follows") { CHECK(warmUp(0, 8).rate(0) == 8); }

TEST_CASE("warmUp may be followed by another") { CHECK(warmUp(1, warmUp(1, 8)).rate(0) == 2); }
