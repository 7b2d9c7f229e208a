#include "tapestry/continuation/parallel/timeout.hpp"

#include <doctest/doctest.h>

#include "support/programs/delivery.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/mask.hpp"
#include "tapestry/continuation/repeat.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/testing/virtual_clock.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::Delivery;
using testing::VirtualClock;

TEST_CASE("timeout yields the value of a program that ends in time, and nothing for a late program") {
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

TEST_CASE("timeout of a masked program waits for the program, and yields nothing") {
  VirtualClock clock;
  Delivery<std::optional<Unit>> delivery;
  withClock(clock, timeout(mask(sleepFor(5ms)), 2ms)).onComplete(delivery.callback());
  clock.advance(4ms);
  CHECK(delivery.count() == 0);
  clock.advance(1ms);
  CHECK(delivery.outcome().get() == std::nullopt);
}

TEST_CASE("a program that never suspends is stopped when its time is over") {
  CHECK(timeout(forever(now(1)), 5ms).blockingAwait() == std::nullopt);
  ThreadPool pool(1);
  Delivery<std::optional<Unit>> delivery;
  timeout(forever(now(1)), 5ms).onComplete(delivery.callback(), pool);
  CHECK(delivery.outcome().get() == std::nullopt);
}

TEST_CASE("a value that comes in time is no less in time for a timer that expires later") {
  testing::VirtualClock clock;
  Delivery<int> delivery;
  withClock(clock, timeout(sleepFor(1ms), 2ms).flatMap([](const std::optional<Unit>& value) {
    return sleepFor(5ms).map([value] { return value ? 1 : 0; });
  })).onComplete(delivery.callback());
  clock.advance(10ms);
  CHECK(delivery.outcome().get() == 1);
}

TEST_CASE("a program with the longest duration as its timeout is in time") {
  VirtualClock clock;
  clock.advance(24h);
  Delivery<std::optional<int>> delivery;
  withClock(clock, timeout(sleepFor(1h).map([] { return 1; }), Clock::Duration::max()))
      .onComplete(delivery.callback());
  clock.advance(1h);
  CHECK(delivery.outcome().get() == 1);
  CHECK(timeout(sleepFor(1ms).map([] { return 2; }), Clock::Duration::max()).blockingAwait() == 2);
}

TEST_CASE("timeouts nest, and the shorter one ends") {
  testing::VirtualClock clock;
  const auto both = [](Clock::Duration inner, Clock::Duration outer) {
    return timeout(timeout(sleepFor(1h), inner).map([](const auto& value) { return value ? 2 : 1; }), outer)
        .map([](const std::optional<int>& value) { return value.value_or(0); });
  };
  Delivery<int> first;
  Delivery<int> second;
  withClock(clock, both(1ms, 2ms)).onComplete(first.callback());
  withClock(clock, both(2ms, 1ms)).onComplete(second.callback());
  clock.advance(3ms);
  CHECK(first.outcome().get() == 1);
  CHECK(second.outcome().get() == 0);
  CHECK(clock.waiting() == 0);
}

TEST_CASE("a request to stop from outside is no timeout") {
  testing::VirtualClock clock;
  const StopSource source;
  Delivery<std::optional<Unit>> delivery;
  withClock(clock, timeout(sleepFor(1h), 2h)).onComplete(delivery.callback(), source.token());
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
  CHECK(clock.waiting() == 0);
}
