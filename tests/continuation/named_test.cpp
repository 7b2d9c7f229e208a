#include "tapestry/continuation/named.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <ctime>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "support/delivery.hpp"
#include "support/io_threads.hpp"
#include "support/manual.hpp"
#include "tapestry/continuation/asio_executor.hpp"
#include "tapestry/continuation/async.hpp"
#include "tapestry/continuation/memoize.hpp"
#include "tapestry/continuation/par_traverse.hpp"
#include "tapestry/continuation/shift.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/thread_pool.hpp"
#include "tapestry/continuation/tuple2.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

using namespace tapestry;
using test::Delivery;
using test::Manual;

namespace {

/// The lines of dumpRuns, with the places reduced to the names of their files.
std::vector<std::string> dumped() {
  std::ostringstream out;
  dumpRuns(out);
  std::istringstream in(out.str());
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    for (std::size_t slash; (slash = line.find('/')) != std::string::npos;) {
      const std::size_t begin = line.rfind('(', slash) + 1;
      line.erase(begin, slash + 1 - begin);
    }
    lines.push_back(line);
  }
  return lines;
}

using Lines = std::vector<std::string>;

std::string at(int line) { return " (named_test.cpp:" + std::to_string(line) + ")"; }

}  // namespace

TEST_CASE("a named run is listed with what it waits for until it ends") {
  std::optional<Callback<int>> callback;
  const int waits = __LINE__ + 1;
  const auto leaf = async<int>([&](const Callback<int>& given) { callback = given; });
  const int named = __LINE__ + 1;
  const auto program = leaf.map([](int x) { return x + 1; }).named("query");
  CHECK(dumped().empty());
  Delivery<int> delivery;
  program.onComplete(delivery.callback());
  CHECK(dumped() == Lines{"\"query\"" + at(named) + ": waits for async" + at(waits)});
  (*callback)(1);
  CHECK(delivery.outcome().get() == 2);
  CHECK(dumped().empty());
}

TEST_CASE("names nest and end with their programs") {
  Manual<int> first;
  Manual<int> second;
  Delivery<int> delivery;
  const int inner = __LINE__ + 1;
  const auto program = first.program().named("inner").flatMap([&](int) { return second.program(); });
  const int outer = __LINE__ + 1;
  program.named("outer").onComplete(delivery.callback());
  REQUIRE(dumped().size() == 1);
  CHECK(dumped()[0].starts_with("\"inner\"" + at(inner) + " in \"outer\"" + at(outer) + ": waits for async"));
  first.take()(1);
  REQUIRE(dumped().size() == 1);
  CHECK(dumped()[0].starts_with("\"outer\"" + at(outer) + ": waits for async"));
  second.take()(1);
  CHECK(dumped().empty());
}

TEST_CASE("each branch that waits has a line and then their parent") {
  Manual<int> left;
  Manual<int> right;
  Delivery<std::tuple<int, int>> delivery;
  tuple2(parallel(left.program().named("left")), parallel(right.program()))
      .named("both")
      .onComplete(delivery.callback());
  Lines lines = dumped();
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].starts_with("\"both\" (named_test.cpp:"));
  CHECK(lines[0].find("waits for async") != std::string::npos);
  CHECK(lines[1].starts_with("\"left\" (named_test.cpp:"));
  CHECK(lines[1].find(" in \"both\" (") != std::string::npos);
  left.take()(1);
  lines = dumped();
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].find("waits for async") != std::string::npos);
  CHECK(lines[1].ends_with(": waits for its parallel branches"));
  right.take()(2);
  CHECK(delivery.count() == 1);
  CHECK(dumped().empty());
}

TEST_CASE("all runs of one named program are listed") {
  Manual<int> manual;
  const auto program = manual.program().named("again");
  Delivery<int> first;
  Delivery<int> second;
  program.onComplete(first.callback());
  program.onComplete(second.callback());
  CHECK(dumped().size() == 2);
  manual.take()(1);
  CHECK(dumped().size() == 1);
  manual.take()(1);
  CHECK(dumped().empty());
}

TEST_CASE("a run that is at work is listed as such") {
  Lines seen;
  const int line = __LINE__ + 1;
  delay([&] { seen = dumped(); }).named("busy").blockingAwait();
  CHECK(seen == Lines{"\"busy\"" + at(line) + ": at work"});
  CHECK(dumped().empty());
}

TEST_CASE("a run whose callback was called before it parked is at work again") {
  Lines seen;
  async<int>([](const Callback<int>& callback) { callback(1); })
      .map([&](int) { seen = dumped(); })
      .named("prompt")
      .blockingAwait();
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].ends_with(": at work"));
}

TEST_CASE("a sleeping run tells where it sleeps and a cancelled one is gone") {
  const StopSource source;
  Delivery<void> delivery;
  const int line = __LINE__ + 1;
  const auto program = sleepFor(std::chrono::hours(1)).named("nap");
  program.onComplete(delivery.callback(), source.token());
  CHECK(dumped() == Lines{"\"nap\"" + at(line) + ": waits for sleepFor" + at(line)});
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
  CHECK(dumped().empty());
}

TEST_CASE("a run waits for an executor that does not come to it") {
  boost::asio::io_context context;
  AsioExecutor executor(context);
  Delivery<int> delivery;
  const int line = __LINE__ + 1;
  const auto program = execute(executor, [] { return 1; }).named("posted");
  program.onComplete(delivery.callback());
  CHECK(dumped() == Lines{"\"posted\"" + at(line) + ": waits for its executor" + at(line)});
  context.run();
  CHECK(delivery.outcome().get() == 1);
  CHECK(dumped().empty());
}

TEST_CASE("a run that waits for another one that memoizes says so") {
  Manual<int> manual;
  const auto memo = memoize(manual.program());
  Delivery<int> first;
  Delivery<int> second;
  memo.onComplete(first.callback());
  memo.named("second").onComplete(second.callback());
  REQUIRE(dumped().size() == 1);
  CHECK(dumped()[0].ends_with(": waits for the run that memoizes"));
  manual.take()(1);
  CHECK(second.outcome().get() == 1);
  CHECK(dumped().empty());
}

TEST_CASE("runs are listed while others begin and end on many threads") {
  ThreadPool pool(2);
  const auto program = execute(pool, [] { return 1; }).named("short").flatMap([&](int x) {
    return tuple2(parallel(execute(pool, [x] { return x; })), parallel(now(x))).named("pair");
  });
  std::vector<Delivery<std::tuple<int, int>>> deliveries(200);
  for (auto& delivery : deliveries) {
    program.onComplete(delivery.callback(), pool);
    CHECK(dumped().size() <= 2000);
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
