#include "tapestry/continuation/timeout.hpp"

#include <doctest/doctest.h>

#include "support/delivery.hpp"
#include "tapestry/continuation/mask.hpp"
#include "tapestry/testing/virtual_clock.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::Delivery;
using testing::VirtualClock;

TEST_CASE("timeout yields the value of what is in time, and nothing for what is not") {
  VirtualClock clock;
  const auto taking = [](Clock::Duration duration) { return sleepFor(duration).map([] { return 1; }); };
  Delivery<std::optional<int>> quick;
  Delivery<std::optional<int>> slow;
  withClock(clock, timeout(taking(1ms), 2ms)).onComplete(quick.callback());
  withClock(clock, timeout(taking(3ms), 2ms)).onComplete(slow.callback());
  clock.advance(2ms);
  CHECK(quick.outcome().get() == 1);
  CHECK(slow.outcome().get() == std::nullopt);
  CHECK(clock.waiting() == 0);
}

TEST_CASE("timeout of what is masked waits for it, and yields nothing") {
  VirtualClock clock;
  Delivery<std::optional<Unit>> delivery;
  withClock(clock, timeout(mask(sleepFor(5ms)), 2ms)).onComplete(delivery.callback());
  clock.advance(4ms);
  CHECK(delivery.count() == 0);
  clock.advance(1ms);
  CHECK(delivery.outcome().get() == std::nullopt);
}
