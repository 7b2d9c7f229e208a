// P8 for race of Do: losers are cancelled, and what they acquired is released before the race completes.
#include "tapestry/raii/race.hpp"

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

TEST_CASE("a race of Do yields the first success, releases the losers' resources, and keeps the winner's") {
  VirtualClock clock;
  FakeResources fake;
  const auto slow = fake.make("slow").flatMap([](const auto&) { return after(9ms).map([] { return 1; }); });
  const auto quick = fake.make("quick").flatMap([](const auto&) { return after(1ms).map([] { return 2; }); });
  std::string during;
  Delivery<void> delivery;
  withClock(clock, race(slow, quick).map([&](const std::variant<int, int>& first) {
    CHECK(std::get<1>(first) == 2);
    during = fake.log();
  })).onComplete(delivery.callback());
  clock.advance(1ms);
  CHECK(delivery.outcome().hasValue());
  CHECK(during == "+slow +quick -slow");
  CHECK(fake.log() == "+slow +quick -slow -quick");
  CHECK(fake.faults().empty());
}

TEST_CASE("a loser that succeeded all the same is released") {
  FakeResources fake;
  const auto held = [&](const char* name) { return fake.make(name).map([](const auto&) { return 1; }); };
  ThreadPool pool(2);
  for (int round = 0; round < 500; ++round) {
    Delivery<std::variant<int, int>> delivery;
    race(held("a"), held("b")).onComplete(delivery.callback(), pool);
    CHECK(delivery.outcome().hasValue());
    CHECK(fake.open() == 0);
  }
  CHECK(fake.faults().empty());
}

TEST_CASE("a failure is out, and where all fail, so does the race, with all errors in order") {
  const auto failing = [](const char* text) { return Do<int>::raiseError(std::runtime_error(text)); };
  CHECK(std::get<1>(race(failing("a"), Do<int>::now(2)).blockingAwait()) == 2);
  Delivery<std::variant<int, int>> both;
  race(failing("a"), failing("b")).onComplete(both.callback());
  CHECK(outcomeText(both.outcome()) == "[a, b]");
  Delivery<int> one;
  raceAll(std::vector{failing("a")}).onComplete(one.callback());
  CHECK(outcomeText(one.outcome()) == "a");
}

TEST_CASE("a release of a loser that fails is the race's error, and the winner is released too") {
  FakeResources fake;
  VirtualClock clock;
  const auto bad = resource(Do<int>::now(1), [](int) { throw std::runtime_error("release"); });
  const auto loser = bad.flatMap([](int) { return after(5ms).map([] { return 1; }); });
  const auto winner = fake.make("w").map([](const auto&) { return 2; });
  Delivery<std::variant<int, int>> delivery;
  withClock(clock, race(loser, winner)).onComplete(delivery.callback());
  CHECK(outcomeText(delivery.outcome()) == "release");
  CHECK(fake.log() == "+w -w");
}

TEST_CASE("an empty race fails") {
  CHECK_THROWS_AS((void)raceAll(std::vector<Do<int>>()).blockingAwait(), std::invalid_argument);
}

TEST_CASE("a race of many yields the first, and moves what cannot be copied") {
  VirtualClock clock;
  FakeResources fake;
  std::vector<Do<std::unique_ptr<int>>> all;
  for (int i = 0; i < 5; ++i)
    all.push_back(fake.make(std::to_string(i)).flatMap([i](const auto&) {
      return after((5 - i) * 1ms).map([i] { return std::make_unique<int>(i); });
    }));
  Delivery<std::unique_ptr<int>> delivery;
  withClock(clock, raceAll(all)).onComplete(delivery.callback());
  clock.advance(1ms);
  CHECK(*delivery.outcome().get() == 4);
  CHECK(fake.open() == 0);
}

TEST_CASE("a race that is cancelled is cancelled, with everything released") {
  VirtualClock clock;
  FakeResources fake;
  const auto held = [&](const char* name) {
    return fake.make(name).flatMap([](const auto&) { return after(1h); });
  };
  const StopSource source;
  Delivery<std::variant<Unit, Unit>> delivery;
  withClock(clock, race(held("a"), held("b"))).onComplete(delivery.callback(), source.token());
  CHECK(fake.open() == 2);
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
  CHECK(fake.open() == 0);
  CHECK(clock.waiting() == 0);
}
