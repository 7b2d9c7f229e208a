// P8 for race: it completes after all that it has started; an empty race fails.
#include "tapestry/continuation/parallel/race.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <string>

#include "support/programs/runs.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/ensure.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/testing/virtual_clock.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::Delivery;
using test::isError;
using test::Manual;
using testing::VirtualClock;

TEST_CASE("a race yields the value that comes first, by position, and cancels the other") {
  VirtualClock clock;
  int stopped = 0;
  const auto after = [&](Clock::Duration duration, auto value) {
    return ensure(sleepFor(duration).map([value] { return value; }), delay([&] { ++stopped; }));
  };
  Delivery<std::variant<int, std::string>> delivery;
  withClock(clock, race(after(2ms, 1), after(1ms, std::string("b")))).onComplete(delivery.callback());
  clock.advance(1ms);
  REQUIRE(delivery.count() == 1);
  CHECK(std::get<1>(delivery.outcome().get()) == "b");
  CHECK(stopped == 2);
  CHECK(clock.waiting() == 0);
}

TEST_CASE("a race completes only when the loser has ended") {
  Manual<void> cleaning;
  VirtualClock clock;
  const auto loser = ensure(sleepFor(5ms), UnitContinuation<void>(cleaning.program()));
  Delivery<std::variant<Unit, int>> delivery;
  withClock(clock, race(loser, now(1))).onComplete(delivery.callback());
  CHECK(delivery.count() == 0);
  REQUIRE(cleaning.waiting() == 1);
  cleaning.take()();
  CHECK(std::get<1>(delivery.outcome().get()) == 1);
}

TEST_CASE(
    "a competitor that is stopped loses, and when all are, so is the race, with their errors in order") {
  const auto broken = async<int>([](const Callback<int>&) {});
  CHECK(std::get<1>(race(broken, now(2)).blockingAwait()) == 2);
  Delivery<std::variant<int, int>> delivery;
  race(broken, broken).onComplete(delivery.callback());
  REQUIRE(delivery.outcome().hasError());
  CHECK(isError<MultipleException>(delivery.outcome().error()));
  CHECK_THROWS_AS((void)race(broken).blockingAwait(), BrokenCallback);
}

TEST_CASE("a race without programs is stopped with an error, and a race of one program yields its value") {
  CHECK_THROWS_AS((void)raceAll(std::vector<UnitContinuation<int>>()).blockingAwait(), std::invalid_argument);
  CHECK(raceAll(std::vector{UnitContinuation<int>(now(3))}).blockingAwait() == 3);
}

TEST_CASE("a race that is cancelled cancels all, and is cancelled") {
  VirtualClock clock;
  const StopSource source;
  Delivery<std::variant<Unit, Unit>> delivery;
  withClock(clock, race(sleepFor(1s), sleepFor(2s))).onComplete(delivery.callback(), source.token());
  CHECK(clock.waiting() == 2);
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
  CHECK(clock.waiting() == 0);
}

TEST_CASE("a race moves a value that cannot be copied") {
  const auto box = delay([] { return std::make_unique<int>(4); });
  CHECK(*std::get<0>(race(box, box).blockingAwait()) == 4);
  std::vector<UnitContinuation<std::unique_ptr<int>>> boxes(3, box);
  CHECK(*raceAll(std::move(boxes)).blockingAwait() == 4);
}

TEST_CASE("races on a pool have a winner, and end when all begun branches have ended, with any timing") {
  ThreadPool pool(2);
  for (int round = 0; round < 2000; ++round) {
    std::atomic<int> begun{0}, ended{0};
    const auto competitor = [&](int value) {
      const auto begin = delay([&begun, value] {
        ++begun;
        return value;
      });
      return ensure(begin, delay([&] { ++ended; }));
    };
    std::vector<UnitContinuation<int>> all;
    for (int i = 0; i < 4; ++i) all.emplace_back(competitor(i));
    const int winner = raceAll(all).blockingAwait(pool);
    CHECK(winner >= 0);
    CHECK(winner < 4);
    CHECK(begun >= 1);
    CHECK(ended >= begun);
  }
}
