#include "tapestry/concurrent/barrier.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <vector>

#include "support/programs/in_sequence.hpp"
#include "support/programs/runs.hpp"
#include "support/sanitizers.hpp"
#include "support/threads/executors.hpp"
#include "support/threads/on_threads.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/par_for_each.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using test::Delivery;
using test::errorOf;
using test::outcomeText;
using testing::Scheduler;

TEST_CASE("the parties of a barrier continue together, cycle after cycle") {
  const Barrier barrier(2);
  const Barrier copy = barrier;
  for (int cycle = 0; cycle < 3; ++cycle) {
    Delivery<void> first, second;
    barrier.arriveAndWait().onComplete(first.callback());
    CHECK(first.count() == 0);
    CHECK(barrier.arrived() == 1);
    copy.arriveAndWait().onComplete(second.callback());
    CHECK(first.count() == 1);
    CHECK(second.count() == 1);
    CHECK(barrier.arrived() == 0);
  }
}

TEST_CASE("a barrier for one party lets each run pass, and a barrier for no party is refused") {
  Barrier(1).arriveAndWait().blockingAwait();
  CHECK(errorOf([] { return Barrier(0); }) ==
        "tapestry::Barrier: the number of parties is 0, expected at least 1");
  CHECK(errorOf([] { return Barrier(-3); }) ==
        "tapestry::Barrier: the number of parties is -3, expected at least 1");
}

TEST_CASE("a request to stop takes an arrival back") {
  const Barrier barrier(2);
  const StopSource stop;
  Delivery<void> stopped, first, second;
  barrier.arriveAndWait().onComplete(stopped.callback(), stop.token());
  stop.requestStop();
  CHECK(outcomeText(stopped.outcome()) == "cancelled");
  CHECK(barrier.arrived() == 0);
  barrier.arriveAndWait().onComplete(first.callback());
  CHECK(first.count() == 0);
  barrier.arriveAndWait().onComplete(second.callback());
  CHECK(first.count() == 1);
  CHECK(second.count() == 1);
}

TEST_CASE("a masked arrival stays when a stop is requested") {
  const Barrier barrier(2);
  const StopSource stop;
  Delivery<void> masked;
  mask(barrier.arriveAndWait()).onComplete(masked.callback(), stop.token());
  stop.requestStop();
  CHECK(barrier.arrived() == 1);
  barrier.arriveAndWait().blockingAwait();
  CHECK(masked.count() == 1);
}

TEST_CASE("a party that does not come is a deadlock, which names the wait") {
  Scheduler scheduler;
  const Barrier barrier(2);
  CHECK_THROWS_WITH_AS(static_cast<void>(scheduler.run(barrier.arriveAndWait())),
                       doctest::Contains("Barrier::arriveAndWait"), testing::Deadlock);
  CHECK(barrier.arrived() == 0);
}

TEST_CASE("an executor that refuses a party fails it, and the next cycle is whole") {
  test::QueueExecutor executor;
  const Barrier barrier(2);
  Delivery<void> refused;
  barrier.arriveAndWait().onComplete(refused.callback(), executor);
  executor.work();
  CHECK(barrier.arrived() == 1);
  executor.stop();
  barrier.arriveAndWait().blockingAwait();
  CHECK(test::isError<ExecutorStopped>(refused.outcome().error()));
  CHECK(barrier.arrived() == 0);
}

TEST_CASE("no party begins a phase before all parties have ended the previous phase, in any order of steps") {
  struct Phases {
    Barrier barrier{4};
    std::array<int, 4> phase{};
    Do<void> run(std::size_t me, int left) {
      if (left == 0) return Do<void>::now();
      ++phase[me];
      return barrier.arriveAndWait().flatMap([this, me, left] {
        for (const int other : phase) CHECK(other >= phase[me]);
        return run(me, left - 1);
      });
    }
  };
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Scheduler scheduler(seed);
    Phases phases;
    const auto party = [&](std::size_t me) {
      return Do<void>::suspend([&, me] { return phases.run(me, 5); });
    };
    CHECK(outcomeText(scheduler.run(parForEach(std::vector<std::size_t>{0, 1, 2, 3}, 4, party))) == "value");
    CHECK(phases.barrier.arrived() == 0);
  }
}

TEST_CASE("a request to stop at any step leaves no arrival behind") {
  const Barrier barrier(2);
  const auto make = [&] {
    return tuple2(parallel(barrier.arriveAndWait()), parallel(barrier.arriveAndWait()));
  };
  const auto runs =
      testing::cancelAtEveryStep(make, [&](const auto&, std::size_t) { CHECK(barrier.arrived() == 0); });
  CHECK(runs > 3);
}

TEST_CASE("threads meet at a barrier a thousand times") {
  const Barrier barrier(3);
  std::atomic<int> total = 0;
  test::onThreads(3, [&](int) {
    for (int i = 1; i <= 1'000; ++i) {
      ++total;
      barrier.arriveAndWait().blockingAwait();
      CHECK(total >= 3 * i);
    }
  });
  CHECK(total == 3'000);
}

TEST_CASE("a million arrivals at a barrier of one need no stack") {
  const Barrier barrier(1);
  CHECK(test::inSequence([barrier] { return barrier.arriveAndWait(); }, test::million).blockingAwait() == 0);
}
