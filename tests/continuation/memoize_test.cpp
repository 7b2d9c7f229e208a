#include "tapestry/continuation/memoize.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <vector>

#include "support/programs/runs.hpp"
#include "support/threads/executors.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"
#include "tapestry/continuation/shift.hpp"

using namespace tapestry;
using test::Delivery;
using test::Manual;

TEST_CASE("a memoized program runs once, when it is first needed") {
  int runs = 0;
  const auto program = memoize(delay([&] { return ++runs; }));
  CHECK(runs == 0);
  CHECK(program.blockingAwait() == 1);
  CHECK(program.blockingAwait() == 1);
  CHECK(tuple2(program, program).blockingAwait() == std::tuple(1, 1));
  const auto copy = program;
  CHECK(copy.blockingAwait() == 1);
  CHECK(runs == 1);
}

TEST_CASE("runs that come meanwhile wait for the run that is at work") {
  Manual<int> leaf;
  const auto program = memoize(leaf.program());
  Delivery<int> first;
  Delivery<int> second;
  program.onComplete(first.callback());
  program.onComplete(second.callback());
  CHECK(leaf.waiting() == 1);
  leaf.take()(7);
  CHECK(first.outcome().get() == 7);
  CHECK(second.outcome().get() == 7);
}

TEST_CASE("when the run that is at work is stopped, a waiting run takes over") {
  Manual<int> leaf;
  const auto program =
      memoize(leaf.program().map([](int x) { return x; }).flatMap([](int x) { return now(x); }));
  const StopSource source;
  Delivery<int> first;
  Delivery<int> second;
  Delivery<int> third;
  program.onComplete(first.callback(), source.token());
  program.onComplete(second.callback());
  program.onComplete(third.callback());
  source.requestStop();
  leaf.take()(1);
  CHECK(first.outcome().isCancelled());
  REQUIRE(leaf.waiting() == 1);
  leaf.take()(2);
  CHECK(second.outcome().get() == 2);
  CHECK(third.outcome().get() == 2);
}

TEST_CASE("a program that is stopped with an error is tried again by the next run") {
  int runs = 0;
  const auto program = memoize(async<int>([&](const Callback<int>& callback) {
    if (++runs == 2) callback(5);
  }));
  CHECK_THROWS_AS((void)program.blockingAwait(), BrokenCallback);
  CHECK(program.blockingAwait() == 5);
  CHECK(program.blockingAwait() == 5);
  CHECK(runs == 2);
}

TEST_CASE("stopping a run that waits does not disturb the others") {
  Manual<int> leaf;
  const auto program = memoize(leaf.program());
  const StopSource source;
  Delivery<int> first;
  Delivery<int> waiting;
  Delivery<int> last;
  program.onComplete(first.callback());
  program.onComplete(waiting.callback(), source.token());
  program.onComplete(last.callback());
  source.requestStop();
  CHECK(waiting.outcome().isCancelled());
  CHECK(first.count() == 0);
  leaf.take()(3);
  CHECK(first.outcome().get() == 3);
  CHECK(last.outcome().get() == 3);
}

TEST_CASE("a run that waits, and whose executor refuses it, leaves the others as they are") {
  Manual<int> leaf;
  const auto program = memoize(leaf.program());
  test::QueueExecutor executor;
  Delivery<int> first;
  Delivery<int> refused;
  program.onComplete(first.callback());
  program.onComplete(refused.callback(), executor);
  executor.work();
  executor.stop();
  leaf.take()(3);
  CHECK(first.outcome().get() == 3);
  CHECK(test::isError<ExecutorStopped>(refused.outcome().error()));
}

TEST_CASE("exactly one of the runs on many threads does the work") {
  ThreadPool pool(3);
  for (int round = 0; round < 500; ++round) {
    std::atomic<int> runs{0};
    const auto program = memoize(execute(pool, [&] { return ++runs; }));
    std::vector<Delivery<int>> deliveries(6);
    for (auto& delivery : deliveries) program.onComplete(delivery.callback(), pool);
    for (auto& delivery : deliveries) CHECK(delivery.outcome().get() == 1);
    CHECK(runs == 1);
  }
}

TEST_CASE("void can be memoized") {
  int runs = 0;
  const auto program = memoize(delay([&] { ++runs; }));
  program.blockingAwait();
  program.blockingAwait();
  CHECK(runs == 1);
}
