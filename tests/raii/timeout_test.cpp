#include "tapestry/raii/timeout.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>

#include "support/programs/after.hpp"
#include "support/programs/fake_resource.hpp"
#include "support/programs/runs.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/testing/virtual_clock.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::after;
using test::Delivery;
using test::FakeResources;
using test::outcomeText;
using testing::VirtualClock;

TEST_CASE("a program that is in time yields its value, and its resources stay") {
  VirtualClock clock;
  FakeResources fake;
  const auto program = fake.make("a").flatMap(
      [](const auto&) { return after(1ms).map([] { return std::make_unique<int>(1); }); });
  std::string during;
  Delivery<int> delivery;
  withClock(clock, timeout(program, 2ms).map([&](const std::unique_ptr<int>& value) {
    during = fake.log();
    return *value;
  })).onComplete(delivery.callback());
  clock.advance(1ms);
  CHECK(delivery.outcome().get() == 1);
  CHECK(during == "+a");
  CHECK(fake.log() == "+a -a");
  CHECK(clock.waiting() == 0);
}

TEST_CASE("a program that is late fails with TimeoutError after its resources have been released") {
  VirtualClock clock;
  FakeResources fake;
  const auto program = fake.make("a").flatMap([](const auto&) { return after(5ms); });
  std::string handled;
  Delivery<void> delivery;
  withClock(clock, timeout(program, 2ms).handleError([&](const std::exception_ptr& error) {
    handled = fake.log();
    CHECK(test::isError<TimeoutError>(error));
    return Do<void>::raiseError(error);
  })).onComplete(delivery.callback());
  clock.advance(2ms);
  CHECK(outcomeText(delivery.outcome()) == TimeoutError().what());
  CHECK(handled == "+a -a");
}

TEST_CASE("an error in time is the error") {
  VirtualClock clock;
  Delivery<int> delivery;
  withClock(clock, timeout(Do<int>::raiseError(std::runtime_error("early")), 2ms))
      .onComplete(delivery.callback());
  CHECK(outcomeText(delivery.outcome()) == "early");
  CHECK(clock.waiting() == 0);
}

TEST_CASE("a program that is cancelled from outside is cancelled, not late") {
  VirtualClock clock;
  const StopSource source;
  Delivery<void> delivery;
  withClock(clock, timeout(after(5ms), 2ms)).onComplete(delivery.callback(), source.token());
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
}

TEST_CASE("resources that a masked program acquires too late are released before the error is delivered") {
  FakeResources fake;
  testing::VirtualClock clock;
  Delivery<int> delivery;
  const auto late =
      mask(fake.make("a").flatMap([](const std::string&) { return after(5ms).map([] { return 1; }); }));
  std::size_t openAtError = 9;
  const auto program = timeout(late, 2ms).handleError([&](const std::exception_ptr& error) {
    openAtError = fake.open();
    return Do<int>::raiseError(error);
  });
  withClock(clock, program).onComplete(delivery.callback());
  clock.advance(5ms);
  REQUIRE(delivery.count() == 1);
  CHECK(test::isError<TimeoutError>(delivery.outcome().error()));
  CHECK(openAtError == 0);
  CHECK(fake.faults().empty());
}

TEST_CASE("errors of releases take the place of TimeoutError") {
  FakeResources fake;
  testing::VirtualClock clock;
  Delivery<void> delivery;
  const auto program =
      timeout(fake.failingRelease("a").flatMap([](const std::string&) { return after(1h); }), 2ms);
  withClock(clock, program).onComplete(delivery.callback());
  clock.advance(2ms);
  REQUIRE(delivery.count() == 1);
  CHECK(test::isError<test::ReleaseFailed>(delivery.outcome().error()));
}

TEST_CASE("a Do that never suspends is stopped when its time is over") {
  struct Endless {
    static Do<int> loop() {
      return Do<int>::suspend([] { return loop(); });
    }
  };
  CHECK_THROWS_AS(timeout(Endless::loop(), 5ms).blockingAwait(), TimeoutError);
}
