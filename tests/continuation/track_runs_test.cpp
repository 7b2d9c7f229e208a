#include "tapestry/continuation/track_runs.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/programs/dumped_runs.hpp"
#include "support/programs/runs.hpp"
#include "support/threads/executors.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/delay.hpp"
#include "tapestry/continuation/named.hpp"
#include "tapestry/continuation/parallel/par_traverse.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"
#include "tapestry/continuation/shift.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

using namespace tapestry;
using test::Delivery;
using test::dumpedRuns;
using test::Manual;

namespace {

using Lines = std::vector<std::string>;

std::string placeAt(int line) { return " (track_runs_test.cpp:" + std::to_string(line) + ")"; }

/// While it stands, runs are tracked.
struct Tracking {
  Tracking() { trackRuns(true); }
  ~Tracking() { trackRuns(false); }
};

/// Without the place of the wait, which is in another file.
std::string withoutPlace(const std::string& line) { return line.substr(0, line.rfind(" (")); }

}  // namespace

TEST_CASE("runs without names are listed only while runs are tracked") {
  Manual<int> manual;
  Delivery<int> before;
  manual.program().onComplete(before.callback());
  CHECK(dumpedRuns().empty());
  Delivery<int> during;
  int line = 0;
  {
    const Tracking tracking;
    line = __LINE__ + 1;
    manual.program().onComplete(during.callback());
  }
  Delivery<int> after;
  manual.program().onComplete(after.callback());
  REQUIRE(dumpedRuns().size() == 1);
  CHECK(withoutPlace(dumpedRuns()[0]) == "run" + placeAt(line) + ": waits for async");
  while (manual.waiting() > 0) manual.take()(1);
  CHECK(during.outcome().get() == 1);
  CHECK(dumpedRuns().empty());
}

TEST_CASE("a run is listed with its branches and the names in them below it") {
  const Tracking tracking;
  Manual<int> manual;
  const int name = __LINE__ + 1;
  const auto query = manual.program().named("query");
  const int branches = __LINE__ + 1;
  const auto both = tuple2(parallel(query), parallel(tuple2(parallel(manual.program()), parallel(query))));
  Delivery<std::tuple<int, std::tuple<int, int>>> delivery;
  const int line = __LINE__ + 1;
  both.onComplete(delivery.callback());
  const Lines lines = dumpedRuns();
  REQUIRE(lines.size() == 7);
  CHECK(lines[0] == "run" + placeAt(line));
  CHECK(lines[1] == "  branch 1" + placeAt(branches));
  CHECK(withoutPlace(lines[2]) == "    \"query\"" + placeAt(name) + ": waits for async");
  CHECK(lines[3] == "  branch 2" + placeAt(branches));
  CHECK(withoutPlace(lines[4]) == "    branch 1" + placeAt(branches) + ": waits for async");
  CHECK(lines[5] == "    branch 2" + placeAt(branches));
  CHECK(withoutPlace(lines[6]) == "      \"query\"" + placeAt(name) + ": waits for async");
  while (manual.waiting() > 0) manual.take()(1);
  CHECK(delivery.outcome().hasValue());
  CHECK(dumpedRuns().empty());
}

TEST_CASE("the branches of a traversal are listed and a parent that waits for them") {
  const Tracking tracking;
  Manual<int> manual;
  const int branches = __LINE__ + 1;
  const auto all = parTraverse(std::vector<int>{1, 2}, 2, [&](int) { return manual.program(); });
  Delivery<std::vector<int>> delivery;
  const int line = __LINE__ + 1;
  all.onComplete(delivery.callback());
  const Lines lines = dumpedRuns();
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == "run" + placeAt(line) + ": waits for its parallel branches" + placeAt(branches));
  CHECK(withoutPlace(lines[1]) == "  branch" + placeAt(branches) + ": waits for async");
  CHECK(withoutPlace(lines[2]) == "  branch" + placeAt(branches) + ": waits for async");
  while (manual.waiting() > 0) manual.take()(1);
  CHECK(delivery.outcome().hasValue());
  CHECK(dumpedRuns().empty());
}

TEST_CASE("a run that an executor begins is listed from its first step, at which it is at work") {
  const Tracking tracking;
  test::QueueExecutor executor;
  Delivery<Lines> delivery;
  const int line = __LINE__ + 1;
  delay(dumpedRuns).onComplete(delivery.callback(), executor);
  CHECK(dumpedRuns().empty());
  executor.work();
  CHECK(delivery.outcome().get() == Lines{"run" + placeAt(line) + ": at work"});
  CHECK(dumpedRuns().empty());
}

TEST_CASE("a run of a waiting caller is listed") {
  const Tracking tracking;
  Lines seen;
  const int line = __LINE__ + 1;
  delay([&] { seen = dumpedRuns(); }).blockingAwait();
  CHECK(seen == Lines{"blockingAwait" + placeAt(line) + ": at work"});
  CHECK(dumpedRuns().empty());
}

TEST_CASE("tracked runs end, are stopped and are listed on many threads") {
  const Tracking tracking;
  ThreadPool pool(2);
  const auto program = execute(pool, [] { return 1; }).flatMap([&](int x) {
    return tuple2(parallel(execute(pool, [x] { return x; })), parallel(now(x)));
  });
  const StopSource source;
  std::vector<Delivery<std::tuple<int, int>>> deliveries(200);
  for (auto& delivery : deliveries) {
    program.onComplete(delivery.callback(), pool, source.token());
    CHECK(dumpedRuns().size() <= 2000);
    if (&delivery == &deliveries[150]) source.requestStop();
  }
  for (auto& delivery : deliveries) CHECK(!delivery.outcome().hasError());
}

TEST_CASE("branches that were never begun leave nothing behind") {
  const Tracking tracking;
  Manual<int> manual;
  const StopSource source;
  Delivery<std::tuple<int, int>> delivery;
  tuple2(parallel(manual.program()), parallel(manual.program()))
      .onComplete(delivery.callback(), source.token());
  CHECK(!dumpedRuns().empty());
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
  CHECK(dumpedRuns().empty());
}
