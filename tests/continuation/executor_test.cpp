#include "tapestry/continuation/executor.hpp"

#include <doctest/doctest.h>

#include <thread>

#include "support/programs/runs.hpp"
#include "support/threads/executors.hpp"
#include "tapestry/continuation/ensure.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"
#include "tapestry/continuation/shift.hpp"

using namespace tapestry;
using test::Counted;
using test::Delivery;
using test::isError;
using test::Manual;
using test::QueueExecutor;
using test::RefusingExecutor;

TEST_CASE("the inlined executor is always here and takes no offers") {
  CHECK(Executor::inlined().isHere());
  CHECK_FALSE(Executor::inlined().idle());
}

TEST_CASE("without an executor a run works on the calling thread until it suspends") {
  Delivery<std::thread::id> delivery;
  delay([] { return std::this_thread::get_id(); }).onComplete(delivery.callback());
  REQUIRE(delivery.count() == 1);
  CHECK(delivery.outcome().get() == std::this_thread::get_id());
}

TEST_CASE("a run that is started on an executor does nothing before the executor works") {
  QueueExecutor queue;
  Delivery<int> delivery;
  int calls = 0;
  delay([&] { return ++calls; }).onComplete(delivery.callback(), queue);
  CHECK(calls == 0);
  CHECK(queue.work() == 1);
  CHECK(delivery.outcome().get() == 1);
}

TEST_CASE("parallel branches and their join stay on the run's executor") {
  QueueExecutor queue;
  Delivery<std::tuple<int, bool>> delivery;
  Manual<int> manual;
  const auto here = delay([&] { return queue.isHere(); });
  tuple2(parallel(manual.program()), parallel(here)).onComplete(delivery.callback(), queue);
  queue.work();
  REQUIRE(manual.waiting() == 1);
  manual.take()(1);
  CHECK(delivery.count() == 0);
  CHECK(queue.waiting() == 1);
  queue.work();
  CHECK(delivery.outcome().get() == std::tuple(1, true));
}

TEST_CASE("an executor that refuses the start stops the run before it has any effect") {
  RefusingExecutor refusing;
  Delivery<Counted> delivery;
  int calls = 0;
  delay([&] { return ++calls, Counted(1); }).onComplete(delivery.callback(), refusing);
  REQUIRE(delivery.count() == 1);
  CHECK(isError<ExecutorStopped>(delivery.outcome().error()));
  CHECK(calls == 0);
  CHECK(Counted::live() == 0);
}

TEST_CASE("an executor that refuses a shift stops the run and finalizers still run") {
  RefusingExecutor refusing;
  int after = 0;
  int finalizers = 0;
  const auto program = ensure(shift(refusing).map([&] { ++after; }), delay([&] { ++finalizers; }));
  CHECK_THROWS_AS(program.blockingAwait(), ExecutorStopped);
  CHECK(after == 0);
  CHECK(finalizers == 1);
}

TEST_CASE("after a refused shift finalizers may still run things in parallel") {
  RefusingExecutor refusing;
  int finalizers = 0;
  const auto count = delay([&] { ++finalizers; });
  const UnitContinuation<void> both =
      tuple2(parallel(count), parallel(count)).map([&](std::tuple<Unit, Unit>) { ++finalizers; });
  const auto program = ensure(shift(refusing), both);
  CHECK_THROWS_AS(program.blockingAwait(), ExecutorStopped);
  CHECK(finalizers == 3);
}
