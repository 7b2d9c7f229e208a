#include "tapestry/continuation/named.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "support/programs/dumped_runs.hpp"
#include "support/programs/runs.hpp"
#include "support/threads/io_threads.hpp"
#include "tapestry/continuation/asio/as_continuation.hpp"
#include "tapestry/continuation/asio/asio_executor.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/async.hpp"
#include "tapestry/continuation/coroutine/coroutine.hpp"
#include "tapestry/continuation/direct/direct.hpp"
#include "tapestry/continuation/memoize.hpp"
#include "tapestry/continuation/on.hpp"
#include "tapestry/continuation/parallel/par_traverse.hpp"
#include "tapestry/continuation/parallel/race.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"
#include "tapestry/continuation/shift.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/unit_continuation.hpp"
#include "tapestry/testing/virtual_clock.hpp"

using namespace tapestry;
using test::Delivery;
using test::dumpedRuns;
using test::Manual;

namespace {

using Lines = std::vector<std::string>;

std::string at(int line) { return " (named_test.cpp:" + std::to_string(line) + ")"; }

/// Runs the program, whose branches are of `manual`, and tells where it waits for the last of them.
template <class P>
std::string branchesAt(const P& program, Manual<int>& manual) {
  Delivery<typename P::ValueType> delivery;
  program.named("outer").onComplete(delivery.callback());
  manual.take()(1);
  // the first branch is the parent's, until others have ended
  while (manual.waiting() > 1) manual.take()(1);
  Lines lines = dumpedRuns();
  while (manual.waiting() > 0) manual.take()(1);
  CHECK(delivery.outcome().hasValue());
  const std::string wait = ": waits for its parallel branches";
  std::erase_if(lines, [&](const std::string& line) { return line.find(wait) == line.npos; });
  REQUIRE(lines.size() == 1);
  return lines[0].substr(lines[0].find(wait) + wait.size());
}

}  // namespace

TEST_CASE("a named run is listed with what it waits for until it ends") {
  std::optional<Callback<int>> callback;
  const int waits = __LINE__ + 1;
  const auto leaf = async<int>([&](const Callback<int>& given) { callback = given; });
  const int named = __LINE__ + 1;
  const auto program = leaf.map([](int x) { return x + 1; }).named("query");
  CHECK(dumpedRuns().empty());
  Delivery<int> delivery;
  program.onComplete(delivery.callback());
  CHECK(dumpedRuns() == Lines{"\"query\"" + at(named) + ": waits for async" + at(waits)});
  (*callback)(1);
  CHECK(delivery.outcome().get() == 2);
  CHECK(dumpedRuns().empty());
}

TEST_CASE("names nest and end with their programs") {
  Manual<int> first;
  Manual<int> second;
  Delivery<int> delivery;
  const int inner = __LINE__ + 1;
  const auto program = first.program().named("inner").flatMap([&](int) { return second.program(); });
  const int outer = __LINE__ + 1;
  program.named("outer").onComplete(delivery.callback());
  REQUIRE(dumpedRuns().size() == 2);
  CHECK(dumpedRuns()[0] == "\"outer\"" + at(outer));
  CHECK(dumpedRuns()[1].starts_with("  \"inner\"" + at(inner) + ": waits for async"));
  first.take()(1);
  REQUIRE(dumpedRuns().size() == 1);
  CHECK(dumpedRuns()[0].starts_with("\"outer\"" + at(outer) + ": waits for async"));
  second.take()(1);
  CHECK(dumpedRuns().empty());
}

TEST_CASE("each branch that waits has a line and then their parent") {
  Manual<int> left;
  Manual<int> right;
  Delivery<std::tuple<int, int>> delivery;
  const int line = __LINE__ + 1;
  tuple2(parallel(left.program().named("left")), parallel(right.program()))
      .named("both")
      .onComplete(delivery.callback());
  Lines lines = dumpedRuns();
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].starts_with("\"both\" (named_test.cpp:"));
  CHECK(lines[0].find("waits for async") != std::string::npos);
  CHECK(lines[1].starts_with("  \"left\" (named_test.cpp:"));
  left.take()(1);
  lines = dumpedRuns();
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].find("waits for async") != std::string::npos);
  CHECK(lines[1].ends_with(": waits for its parallel branches" + at(line)));
  right.take()(2);
  CHECK(delivery.count() == 1);
  CHECK(dumpedRuns().empty());
}

TEST_CASE("dumpRuns shows where the parallel branches of a waiting run were begun") {
  Manual<int> manual;
  const auto leaf = [&] { return manual.program(); };
  const std::vector<int> elements(3);
  CHECK(branchesAt(tuple2(parallel(leaf().named("1")), parallel(leaf().named("2"))), manual) == at(__LINE__));
  CHECK(branchesAt(tupleN(parallel(leaf()), parallel(leaf()), parallel(leaf())), manual) == at(__LINE__));
  CHECK(branchesAt(parTraverse(elements, 3, [&](int) { return leaf().named("e"); }), manual) == at(__LINE__));
}

TEST_CASE("dumpRuns shows where a race was begun, except a race of many programs") {
  Manual<int> manual;
  // a loser that does not hear of the request keeps the race waiting
  const auto leaf = [&] { return manual.deaf(); };
  CHECK(branchesAt(race(leaf(), leaf()), manual) == at(__LINE__));
  CHECK(branchesAt(race(leaf(), leaf(), leaf()), manual) == at(__LINE__));
  CHECK(branchesAt(raceAll(std::vector<UnitContinuation<int>>{leaf(), leaf()}), manual) == at(__LINE__));
  CHECK(branchesAt(race(leaf(), leaf(), leaf(), leaf()), manual).empty());
}

TEST_CASE("dumpRuns still shows the wait of a run that waits to return to its executor") {
  boost::asio::io_context context;
  const auto guard = boost::asio::make_work_guard(context);
  AsioExecutor executor(context);
  testing::VirtualClock clock;
  const int line = __LINE__ + 1;
  const auto program = withClock(clock, sleepFor(std::chrono::hours(1)).named("nap"));
  Delivery<void> delivery;
  program.onComplete(delivery.callback(), executor);
  context.poll();
  CHECK(dumpedRuns() == Lines{"\"nap\"" + at(line) + ": waits for sleepFor" + at(line)});
  clock.advance(std::chrono::hours(1));
  CHECK(dumpedRuns() == Lines{"\"nap\"" + at(line) + ": waits for its executor" + at(line)});
  context.poll();
  CHECK(delivery.outcome().hasValue());
  CHECK(dumpedRuns().empty());
}

TEST_CASE("dumpRuns shows the place of a wait for Asio if the token has a place") {
  boost::asio::io_context context;
  boost::asio::steady_timer timer(context, std::chrono::milliseconds(1));
  const auto waitOf = [&](const UnitContinuation<boost::system::error_code>& program) {
    Delivery<boost::system::error_code> delivery;
    program.named("timer").onComplete(delivery.callback());
    REQUIRE(dumpedRuns().size() == 1);
    const std::string line = dumpedRuns()[0];
    context.restart();
    context.run();
    CHECK(delivery.outcome().hasValue());
    return line.substr(line.find(": "));
  };
  CHECK(waitOf(timer.async_wait(asContinuation())) == ": waits for an operation of Asio" + at(__LINE__));
  CHECK(waitOf(timer.async_wait(asContinuation)) == ": waits for an operation of Asio");
  CHECK(dumpedRuns().empty());
}

TEST_CASE("dumpRuns shows where the parts of a tuple are awaited in direct style") {
  Manual<int> manual;
  const auto parts = [&] { return std::tuple(manual.program().named("first"), manual.program()); };
  int line = 0;
  const auto onFiber = direct<UnitContinuation>([&] {
    line = __LINE__ + 1;
    return std::get<0>(await(parts()));
  });
  const auto inCoroutine = direct<UnitContinuation>([&]() -> Coroutine<int> {
    line = __LINE__ + 1;
    const auto values = co_await parts();
    co_return std::get<0>(values);
  });
  const std::string onFiberAt = branchesAt(onFiber, manual);
  CHECK(onFiberAt == at(line));
  const std::string inCoroutineAt = branchesAt(inCoroutine, manual);
  CHECK(inCoroutineAt == at(line));
}

TEST_CASE("dumpRuns shows where a run that returns from another executor was moved to it") {
  boost::asio::io_context context;
  AsioExecutor executor(context);
  Delivery<int> delivery;
  const int line = __LINE__ + 1;
  on(executor, now(1)).named("there").onComplete(delivery.callback());
  CHECK(dumpedRuns() == Lines{"\"there\"" + at(line) + ": waits for its executor" + at(line)});
  context.run();
  CHECK(delivery.outcome().get() == 1);
}

TEST_CASE("all runs of one named program are listed") {
  Manual<int> manual;
  const auto program = manual.program().named("again");
  Delivery<int> first;
  Delivery<int> second;
  program.onComplete(first.callback());
  program.onComplete(second.callback());
  CHECK(dumpedRuns().size() == 2);
  manual.take()(1);
  CHECK(dumpedRuns().size() == 1);
  manual.take()(1);
  CHECK(dumpedRuns().empty());
}

TEST_CASE("a run that is at work is listed as such") {
  Lines seen;
  const int line = __LINE__ + 1;
  delay([&] { seen = dumpedRuns(); }).named("busy").blockingAwait();
  CHECK(seen == Lines{"\"busy\"" + at(line) + ": at work"});
  CHECK(dumpedRuns().empty());
}

TEST_CASE("a run whose callback was called before it parked is at work again") {
  Lines seen;
  async<int>([](const Callback<int>& callback) { callback(1); })
      .map([&](int) { seen = dumpedRuns(); })
      .named("prompt")
      .blockingAwait();
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].ends_with(": at work"));
}

TEST_CASE("dumpRuns shows where a run sleeps, and does not list a cancelled run") {
  const StopSource source;
  Delivery<void> delivery;
  const int line = __LINE__ + 1;
  const auto program = sleepFor(std::chrono::hours(1)).named("nap");
  program.onComplete(delivery.callback(), source.token());
  CHECK(dumpedRuns() == Lines{"\"nap\"" + at(line) + ": waits for sleepFor" + at(line)});
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
  CHECK(dumpedRuns().empty());
}

TEST_CASE("a run waits for an executor that does not come to it") {
  boost::asio::io_context context;
  AsioExecutor executor(context);
  Delivery<int> delivery;
  const int line = __LINE__ + 1;
  const auto program = execute(executor, [] { return 1; }).named("posted");
  program.onComplete(delivery.callback());
  CHECK(dumpedRuns() == Lines{"\"posted\"" + at(line) + ": waits for its executor" + at(line)});
  context.run();
  CHECK(delivery.outcome().get() == 1);
  CHECK(dumpedRuns().empty());
}

TEST_CASE("dumpRuns shows that a run waits for another run that memoizes") {
  Manual<int> manual;
  const int line = __LINE__ + 1;
  const auto memo = memoize(manual.program());
  Delivery<int> first;
  Delivery<int> second;
  memo.onComplete(first.callback());
  memo.named("second").onComplete(second.callback());
  REQUIRE(dumpedRuns().size() == 1);
  CHECK(dumpedRuns()[0].ends_with(": waits for the run that memoizes" + at(line)));
  manual.take()(1);
  CHECK(second.outcome().get() == 1);
  CHECK(dumpedRuns().empty());
}

TEST_CASE("runs are listed while others begin and end on many threads") {
  ThreadPool pool(2);
  const auto program = execute(pool, [] { return 1; }).named("short").flatMap([&](int x) {
    return tuple2(parallel(execute(pool, [x] { return x; })), parallel(now(x))).named("pair");
  });
  std::vector<Delivery<std::tuple<int, int>>> deliveries(200);
  for (auto& delivery : deliveries) {
    program.onComplete(delivery.callback(), pool);
    CHECK(dumpedRuns().size() <= 2000);
  }
  for (auto& delivery : deliveries) {
    CHECK(delivery.outcome().get() == std::tuple(1, 1));
  }
}

TEST_CASE("ten thousand runs wait in one name at the cost of a few") {
  const auto within = [](std::size_t count) {
    std::vector<Callback<int>> callbacks;
    const std::vector<int> elements(count);
    const auto all = parTraverse(elements, count, [&](int) {
      return async<int>([&](Callback<int> callback) { callbacks.push_back(std::move(callback)); });
    });
    Delivery<std::vector<int>> delivery;
    const std::clock_t before = std::clock();
    all.named("many").onComplete(delivery.callback());
    for (const auto& callback : callbacks) callback(1);
    const double ticks = static_cast<double>(std::clock() - before);
    CHECK(delivery.outcome().get().size() == count);
    return ticks;
  };
  const auto least = [&](std::size_t count) {
    return std::min({within(count), within(count), within(count)});
  };
  // ten times as many: ten times as much, where each wait looks at all others a hundred times
  CHECK(least(20'000) < 50 * least(2'000) + 1000);
}
