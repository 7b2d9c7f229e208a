#include "tapestry/raii/timeout.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>

#include "support/delivery.hpp"
#include "support/error_text.hpp"
#include "support/fake_resource.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/clock.hpp"
#include "tapestry/testing/virtual_clock.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::Delivery;
using test::FakeResources;
using test::outcomeText;
using testing::VirtualClock;

namespace {

Do<void> after(Clock::Duration duration) { return Do<void>::lift(sleepFor(duration)); }

}  // namespace

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

TEST_CASE("what is cancelled from outside is cancelled, not late") {
  VirtualClock clock;
  const StopSource source;
  Delivery<void> delivery;
  withClock(clock, timeout(after(5ms), 2ms)).onComplete(delivery.callback(), source.token());
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
}
