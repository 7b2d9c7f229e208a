#include "tapestry/continuation/clock.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <thread>

#include "support/programs/delivery.hpp"
#include "support/system/child_process.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/testing/virtual_clock.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::Delivery;
using testing::VirtualClock;

TEST_CASE("the system's clock is the steady clock") {
  const auto before = std::chrono::steady_clock::now();
  const auto now = Clock::system().now();
  CHECK(before <= now);
  CHECK(now <= std::chrono::steady_clock::now());
}

TEST_CASE("the first timer of the system's clock ends the process if the system gives no thread") {
  const auto words = test::lastWords([] {
    if (test::limitThreads(1)) sleepFor(1ms).blockingAwait();
  });
  CHECK(words.starts_with("tapestry::Clock::system: the system gives no thread, got "));
}

TEST_CASE("withClock holds for the program and its parallel branches, and for nothing else") {
  VirtualClock outer;
  VirtualClock inner;
  Delivery<int> delivery;
  const auto branches = tuple2(parallel(sleepFor(1ms)), parallel(sleepFor(2ms)));
  withClock(outer, withClock(inner, branches).flatMap([](const auto&) {
    return sleepFor(3ms).map([] { return 1; });
  })).onComplete(delivery.callback());
  CHECK(outer.waiting() == 0);
  CHECK(inner.waiting() == 2);
  inner.advance(2ms);
  CHECK(inner.waiting() == 0);
  CHECK(outer.waiting() == 1);
  outer.advance(3ms);
  CHECK(delivery.outcome().get() == 1);
}

TEST_CASE("askClock yields the clock by which its run waits") {
  CHECK(askClock().blockingAwait() == &Clock::system());
  VirtualClock clock;
  Delivery<Clock::Duration> delivery;
  const auto waited = askClock().flatMap(
      [](Clock* own) { return sleepFor(5ms).map([own, began = own->now()] { return own->now() - began; }); });
  withClock(clock, waited).onComplete(delivery.callback());
  clock.advance(5ms);
  CHECK(delivery.outcome().get() == 5ms);
}

TEST_CASE("blockingAwait on the system clock's thread is an error, for all timers wait for that") {
  const auto caller = std::this_thread::get_id();
  std::optional<bool> refused;
  while (!refused) {
    Delivery<std::optional<bool>> delivery;
    sleepFor(1ms)
        .map([caller]() -> std::optional<bool> {
          // a caller that was held up for a millisecond continues itself
          if (std::this_thread::get_id() == caller) return std::nullopt;
          try {
            sleepFor(1ms).blockingAwait();
          } catch (const std::logic_error&) {
            return true;
          }
          return false;
        })
        .onComplete(delivery.callback());
    refused = delivery.outcome().get();
  }
  CHECK(*refused);
}
