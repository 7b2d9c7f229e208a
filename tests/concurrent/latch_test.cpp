#include "tapestry/concurrent/latch.hpp"

#include <doctest/doctest.h>

#include "support/programs/in_sequence.hpp"
#include "support/programs/runs.hpp"
#include "support/sanitizers.hpp"
#include "support/threads/on_threads.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using test::Delivery;
using test::errorOf;
using test::outcomeText;
using testing::Scheduler;

TEST_CASE("a latch opens permanently when it has been counted down to 0") {
  const Latch latch(2);
  const Latch copy = latch;
  Delivery<void> waiting, other;
  latch.wait().onComplete(waiting.callback());
  latch.wait().onComplete(other.callback());
  CHECK(latch.countDown());
  CHECK(latch.count() == 1);
  CHECK(waiting.count() == 0);
  CHECK(copy.countDown());
  CHECK(waiting.count() == 1);
  CHECK(other.count() == 1);
  CHECK_FALSE(latch.countDown());
  CHECK(latch.count() == 0);
  latch.wait().blockingAwait();
}

TEST_CASE("a latch of 0 is open, and one below 0 is refused") {
  Latch(0).wait().blockingAwait();
  CHECK(errorOf([] { return Latch(-1); }) == "tapestry::Latch: the count is -1, expected at least 0");
}

TEST_CASE("a request to stop ends a wait for a latch, unless masked") {
  const Latch latch(1);
  const StopSource stop;
  Delivery<void> stopped, masked;
  latch.wait().onComplete(stopped.callback(), stop.token());
  mask(latch.wait()).onComplete(masked.callback(), stop.token());
  stop.requestStop();
  CHECK(outcomeText(stopped.outcome()) == "cancelled");
  CHECK(masked.count() == 0);
  latch.countDown();
  CHECK(masked.count() == 1);
}

TEST_CASE("a latch that is not counted down is a deadlock, which names the wait") {
  Scheduler scheduler;
  CHECK_THROWS_WITH_AS(static_cast<void>(scheduler.run(Latch(1).wait())), doctest::Contains("Latch::wait"),
                       testing::Deadlock);
}

TEST_CASE("threads count a latch down") {
  for (int round = 0; round < 200; ++round) {
    const Latch latch(4);
    test::onThreads(4, [&](int i) {
      latch.countDown();
      if (i < 2) latch.wait().blockingAwait();
    });
    CHECK(latch.count() == 0);
  }
}

TEST_CASE("a million waits for an open latch need no stack") {
  const Latch latch(0);
  CHECK(test::inSequence([latch] { return latch.wait(); }, test::million).blockingAwait() == 0);
}
