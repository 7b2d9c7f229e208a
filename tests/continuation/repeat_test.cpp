#include "tapestry/continuation/repeat.hpp"

#include <doctest/doctest.h>

#include "support/programs/delivery.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/testing/virtual_clock.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::Delivery;

TEST_CASE("repeat runs a program the given number of times") {
  int runs = 0;
  const auto program = delay([&] { return ++runs; });
  repeat(program, 5).blockingAwait();
  CHECK(runs == 5);
  repeat(program, 0).blockingAwait();
  CHECK(runs == 5);
  repeat(program, 1'000'000).blockingAwait();
  CHECK(runs == 1'000'005);
}

TEST_CASE("repeatUntil yields the first value that satisfies the predicate") {
  int runs = 0;
  CHECK(repeatUntil(delay([&] { return ++runs; }), [](int x) { return x % 7 == 0; }).blockingAwait() == 7);
  CHECK(runs == 7);
}

TEST_CASE("forever continues until the run is stopped") {
  testing::VirtualClock clock;
  const StopSource source;
  int ticks = 0;
  Delivery<void> delivery;
  withClock(clock, forever(sleepFor(1ms).map([&] { ++ticks; })))
      .onComplete(delivery.callback(), source.token());
  clock.advance(10ms);
  CHECK(ticks == 10);
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
  clock.advance(10ms);
  CHECK(ticks == 10);
}

TEST_CASE("forever is stopped also where its program never waits") {
  const StopSource source;
  int runs = 0;
  Delivery<void> delivery;
  forever(delay([&] {
    if (++runs == 1000) source.requestStop();
  })).onComplete(delivery.callback(), source.token());
  CHECK(delivery.outcome().isCancelled());
  CHECK(runs == 1000);
}
