#include "tapestry/concurrent/stream/consumers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <ranges>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/programs/error_of_run.hpp"
#include "support/sanitizers.hpp"
#include "tapestry/concurrent/stream/stream.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::errorOfRun;

namespace {

using Numbers = std::vector<int>;

auto firstNumbers(int count) { return Stream<int>::from(std::views::iota(0, count)); }

}  // namespace

TEST_CASE("fold begins with its initial state in each run") {
  const auto sum = firstNumbers(5).fold(100, [](int state, int n) { return state + n; });
  CHECK(sum.blockingAwait() == 110);
  CHECK(sum.blockingAwait() == 110);
}

TEST_CASE("items that cannot be copied go through a stream") {
  const auto boxes = firstNumbers(3).map([](int n) { return std::make_unique<int>(n); });
  const auto kept = boxes.filter([](const std::unique_ptr<int>& n) { return *n != 1; }).drop(1).buffer(2);
  const auto all = kept.toVector().blockingAwait();
  REQUIRE(all.size() == 1);
  CHECK(*all[0] == 2);
}

TEST_CASE("forEach runs a program for each item, one after the other, each in a scope") {
  int held = 0;
  Numbers seen;
  const auto program = firstNumbers(3).forEach([&](int n) {
    return resource(Do<int>::delay([&] { return ++held; }), [&](int) { --held; }).map([&, n](int) {
      CHECK(held == 1);
      seen.push_back(n);
    });
  });
  program.blockingAwait();
  CHECK(seen == Numbers{0, 1, 2});
  CHECK(held == 0);
}

TEST_CASE("forEach with a limit runs as many programs at a time") {
  testing::Scheduler scheduler;
  int running = 0, most = 0;
  const auto program = firstNumbers(7).forEach(3, [&](int) {
    most = std::max(most, ++running);
    return Do<void>::lift(sleepFor(1ms)).map([&] { --running; });
  });
  CHECK(scheduler.run(program).hasValue());
  CHECK(most == 3);
  CHECK(scheduler.clock().now().time_since_epoch() == 3ms);
  CHECK_THROWS_WITH_AS(static_cast<void>(firstNumbers(1).forEach(0, [](int n) { return Do<int>::now(n); })),
                       "tapestry::Stream::forEach: the limit is 0, expected at least 1",
                       std::invalid_argument);
}

TEST_CASE("an error of a program of forEach with a limit stops the others") {
  testing::Scheduler scheduler;
  const auto failing = [](int n) {
    return n == 1 ? Do<void>::raiseError("one") : Do<void>::lift(sleepFor(1h));
  };
  CHECK(test::outcomeText(scheduler.run(firstNumbers(3).forEach(3, failing))) == "one");
  CHECK(scheduler.clock().now().time_since_epoch() < 1h);
}

TEST_CASE("an error of forEach's function ends the stream, which releases what it holds") {
  bool released = false;
  const auto acquired = resource(Do<int>::now(7), [&](int) { released = true; });
  const auto failing = [](int) { throw std::runtime_error("no"); };
  CHECK(errorOfRun(Stream<int>::from(acquired).forEach(failing)) == "no");
  CHECK(released);
}

TEST_CASE("forEach runs a million programs on a constant stack") {
  int count = 0;
  firstNumbers(static_cast<int>(test::million))
      .forEach([&](int) { return Do<void>::delay([&] { ++count; }); })
      .blockingAwait();
  CHECK(count == test::million);
}

TEST_CASE("into sends the items, waits for capacity, and closes the channel at the end") {
  testing::Scheduler scheduler;
  const Channel<int> channel(1);
  const auto both =
      tuple2(parallel(firstNumbers(20).into(channel)), parallel(Stream<int>::from(channel).toVector()));
  CHECK(std::get<1>(scheduler.run(both).get()).size() == 20);
  CHECK(channel.isClosed());
}

TEST_CASE("into closes the channel with the error of the stream, and fails with it") {
  const auto channel = Channel<int>::unbounded();
  const auto failing = firstNumbers(2).concat(Stream<int>::raiseError("broken"));
  CHECK(errorOfRun(failing.into(channel)) == "broken");
  CHECK(channel.size() == 2);
  CHECK(errorOfRun(Stream<int>::from(channel).toVector()) == "broken");
}

TEST_CASE("into that is stopped closes the channel with Closed") {
  const Channel<int> channel(1);
  const StopSource stop;
  bool ended = false;
  firstNumbers(5).into(channel).onComplete([&](const Outcome<void>&) { ended = true; }, stop.token());
  CHECK_FALSE(ended);
  stop.requestStop();
  CHECK(ended);
  CHECK(channel.tryReceive() == 0);
  CHECK_THROWS_AS(channel.receiveOrEnd().blockingAwait(), Closed);
}

TEST_CASE("into of a run that was asked to stop before closes the channel, too") {
  const Channel<int> channel(1);
  const StopSource stop;
  stop.requestStop();
  firstNumbers(5).into(channel).onComplete([](const Outcome<void>&) {}, stop.token());
  CHECK(channel.size() == 0);
  CHECK(channel.isClosed());
}

TEST_CASE("broadcast gives each item to each consumer, in one pass of the stream") {
  int made = 0;
  const auto numbers = firstNumbers(3'000).map([&made](int n) { return ++made, n; });
  const auto program = numbers.broadcast(
      [](const Stream<int>& all) { return all.fold(0L, [](long sum, int n) { return sum + n; }); },
      [](const Stream<int>& all) { return all.take(2).toVector(); },
      [](const Stream<int>& all) { return all.forEach([](int) { return Do<void>::now(); }); });
  const auto results = testing::Scheduler().run(program).get();
  CHECK(std::get<0>(results) == 2'999L * 3'000 / 2);
  CHECK(std::get<1>(results) == Numbers{0, 1});
  CHECK(made == 3'000);
}

TEST_CASE("an error of the stream, or of a consumer, fails a broadcast") {
  const auto all = [](const Stream<int>& items) { return items.toVector(); };
  const auto failing = firstNumbers(2).concat(Stream<int>::raiseError("broken"));
  const auto outcome = testing::Scheduler().run(failing.broadcast(all, all));
  CHECK(test::outcomeText(outcome).find("broken") != std::string::npos);
  const auto refuses = [](const Stream<int>& items) {
    return items.forEach([](int) { throw std::runtime_error("no"); });
  };
  CHECK(test::outcomeText(testing::Scheduler().run(firstNumbers(5'000).broadcast(all, refuses))) == "no");
}
