#include "tapestry/raii/random.hpp"

#include <doctest/doctest.h>

#include "tapestry/raii.hpp"

using namespace tapestry;

TEST_CASE("a Do and its releases draw from the random numbers that they are given") {
  Random random(3);
  Random* released = nullptr;
  const auto drawn = Do<Random*>::lift(askRandom());
  const auto acquired =
      resource(drawn, [&](Random*) { return drawn.map([&](Random* seen) { released = seen; }); });
  CHECK(withRandom(random, acquired).blockingAwait() == &random);
  CHECK(released == &random);
}
