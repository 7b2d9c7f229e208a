#include "tapestry/testing/virtual_clock.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "support/programs/delivery.hpp"
#include "tapestry/continuation/sleep_for.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using testing::VirtualClock;

TEST_CASE("a virtual clock stands still until it is advanced") {
  VirtualClock clock;
  CHECK(clock.now() == Clock::TimePoint());
  clock.advance(3s);
  CHECK(clock.now() == Clock::TimePoint(3s));
}

TEST_CASE("a virtual clock advances to the end of time, also from a later time than its first") {
  VirtualClock clock;
  test::Delivery<void> delivery;
  clock.advance(3s);
  withClock(clock, sleepFor(1h)).onComplete(delivery.callback());
  clock.advance(Clock::Duration::max());
  CHECK(delivery.count() == 1);
  CHECK(clock.now() == Clock::TimePoint::max());
}

TEST_CASE("timers expire in the order of their times, and of their start where those are equal") {
  VirtualClock clock;
  std::vector<int> order;
  std::vector<test::Delivery<void>> deliveries(4);
  const auto sleep = [&](int index, Clock::Duration duration) {
    withClock(clock, sleepFor(duration).map([&order, index] {
      order.push_back(index);
    })).onComplete(deliveries[static_cast<std::size_t>(index)].callback());
  };
  sleep(0, 2ms);
  sleep(1, 1ms);
  sleep(2, 2ms);
  sleep(3, 9ms);
  clock.advance(5ms);
  CHECK(order == std::vector{1, 0, 2});
  CHECK(clock.waiting() == 1);
  CHECK(clock.advanceToNext());
  CHECK(clock.now() == Clock::TimePoint(9ms));
  CHECK(order == std::vector{1, 0, 2, 3});
  CHECK_FALSE(clock.advanceToNext());
}
