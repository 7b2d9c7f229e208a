// When stages of several streams or consumers end, and what happens to the others.
#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/programs/error_of_run.hpp"
#include "tapestry/concurrent/channel.hpp"
#include "tapestry/concurrent/stream/lines.hpp"
#include "tapestry/concurrent/stream/sources.hpp"
#include "tapestry/concurrent/stream/stream.hpp"
#include "tapestry/concurrent/stream/ticks.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/repeat.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using testing::Scheduler;

namespace {

using Pairs = std::vector<std::pair<int, int>>;

/// A stream of one item that then stays open.
Stream<int> openAfter(int item) {
  const Channel<int> channel(1);
  channel.trySend(item);
  return Stream<int>::from(channel);
}

Stream<int> failingAtOnce() { return Stream<int>::raiseError("broken"); }

}  // namespace

TEST_CASE("zip ends when either stream has ended, although the other waits") {
  for (std::uint64_t seed = 0; seed != 20; ++seed) {
    const auto pairsOf = [seed](const Stream<int>& a, const Stream<int>& b) {
      return Scheduler(seed).run(a.zip(b).toVector()).get();
    };
    CHECK(pairsOf(Stream<int>::of({1}), openAfter(2)) == Pairs{{1, 2}});
    CHECK(pairsOf(openAfter(2), Stream<int>::of({1})) == Pairs{{2, 1}});
    CHECK(pairsOf(Stream<int>::empty(), Stream<int>::from(Channel<int>(0))).empty());
    CHECK(pairsOf(Stream<int>::from(Channel<int>(0)), Stream<int>::empty()).empty());
  }
  Scheduler scheduler;
  CHECK(scheduler.run(Stream<int>::of({1, 2, 3}).zip(ticks(1h)).toVector()).get().size() == 3);
  CHECK(scheduler.clock().now().time_since_epoch() < 3h);
}

TEST_CASE("zip fails with an error of either stream, also where the other ends") {
  CHECK(test::outcomeText(Scheduler().run(failingAtOnce().zip(openAfter(1).drop(1)).toVector())) == "broken");
  CHECK(test::outcomeText(Scheduler().run(openAfter(1).drop(1).zip(failingAtOnce()).toVector())) == "broken");
  const auto both = Scheduler().run(failingAtOnce().zip(failingAtOnce()).toVector());
  CHECK(test::outcomeText(both).find("broken") != std::string::npos);
}

TEST_CASE("the items of a stream come before the error of raiseError beside it") {
  std::vector<int> seen;
  const auto both = Stream<int>::of({1, 2}).interleave(Stream<int>::raiseError("no"));
  const auto outcome = Scheduler().run(both.forEach([&](int n) { seen.push_back(n); }));
  CHECK(test::outcomeText(outcome) == "no");
  CHECK(seen == std::vector<int>{1});
  CHECK(Scheduler().run(Stream<int>::empty().interleave(both).toVector()).hasValue());
}

TEST_CASE("interleave gives all items up to the end of the stream whose turn it is") {
  const auto itemsOf = [](const Stream<int>& a, const Stream<int>& b) {
    return Scheduler().run(a.interleave(b).toVector()).get();
  };
  using Items = std::vector<int>;
  CHECK(itemsOf(Stream<int>::of({1, 2, 3}), Stream<int>::of({4})) == Items{1, 4, 2});
  CHECK(itemsOf(Stream<int>::of({4}), Stream<int>::of({1, 2, 3})) == Items{4, 1});
  CHECK(itemsOf(Stream<int>::of({1}), openAfter(2)) == Items{1, 2});
  CHECK(itemsOf(Stream<int>::empty(), openAfter(2)).empty());
}

TEST_CASE("broadcast ends when all consumers have ended, also before the stream") {
  const auto natural = Stream<int>::from(std::views::iota(1));
  const auto takes = [](std::uint64_t count) {
    return [count](const Stream<int>& items) {
      return items.take(count).fold(0, [](int n, int) { return n + 1; });
    };
  };
  const auto both = natural.broadcast(takes(1), takes(5'000));
  CHECK(both.blockingAwait() == std::tuple(1, 5'000));
  for (std::uint64_t seed = 0; seed != 10; ++seed)
    CHECK(Scheduler(seed).run(both).get() == std::tuple(1, 5'000));
  ThreadPool pool(2);
  for (int i = 0; i != 50; ++i) CHECK(both.blockingAwait(pool) == std::tuple(1, 5'000));
}

TEST_CASE("throttle keeps the interval although runs are woken late") {
  Scheduler scheduler;
  std::vector<Clock::TimePoint> times;
  const auto items = Stream<int>::from(std::views::iota(0, 20)).throttle(10ms).forEach([&](int) {
    times.push_back(scheduler.clock().now());
  });
  // as a thread that is busy for 7 ms after every 3 ms
  const auto busy = repeat(Do<void>::lift(sleepFor(3ms)).map([&] { scheduler.clock().advance(7ms); }), 20);
  CHECK(scheduler.run(tuple2(parallel(items), parallel(busy))).hasValue());
  REQUIRE(times.size() == 20);
  for (std::size_t i = 1; i != times.size(); ++i) CHECK(times[i] - times[i - 1] >= 10ms);
}

TEST_CASE("a time below 0 and lines of no bytes are refused") {
  const auto none = Stream<int>::empty();
  CHECK_THROWS_WITH_AS(static_cast<void>(none.timeout(-1ns)),
                       "tapestry::Stream::timeout: the duration is -1 ns, expected at least 0",
                       std::invalid_argument);
  CHECK_THROWS_AS(static_cast<void>(none.throttle(-1ns)), std::invalid_argument);
  CHECK_THROWS_WITH_AS(static_cast<void>(none.debounce(-1ns)),
                       "tapestry::Stream::debounce: the quiet time is -1 ns, expected at least 0",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(static_cast<void>(lines(Stream<std::string>::empty(), 0)),
                       "tapestry::lines: the longest line is 0, expected at least 1", std::invalid_argument);
}
