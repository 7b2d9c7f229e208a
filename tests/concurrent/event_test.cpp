#include "tapestry/concurrent/event.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "support/programs/in_sequence.hpp"
#include "support/programs/runs.hpp"
#include "support/sanitizers.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using test::Delivery;
using test::outcomeText;
using testing::Scheduler;

TEST_CASE("a wait continues when the event is set, and at once afterwards") {
  const Event event;
  Delivery<void> before, after;
  event.wait().onComplete(before.callback());
  CHECK(before.count() == 0);
  CHECK_FALSE(event.isSet());
  CHECK(event.set());
  CHECK(before.count() == 1);
  CHECK(event.isSet());
  event.wait().onComplete(after.callback());
  CHECK(after.count() == 1);
}

TEST_CASE("setting an event twice, and resetting an unset one, return false") {
  const Event event;
  CHECK_FALSE(event.reset());
  CHECK(event.set());
  CHECK_FALSE(event.set());
  CHECK(event.reset());
  CHECK_FALSE(event.reset());
}

TEST_CASE("setting an event wakes all waiters, and a reset makes later waits wait") {
  const Event event;
  std::vector<Delivery<void>> waits(3);
  for (auto& wait : waits) event.wait().onComplete(wait.callback());
  event.set();
  event.reset();
  for (auto& wait : waits) CHECK(wait.count() == 1);
  Delivery<void> later;
  event.wait().onComplete(later.callback());
  CHECK(later.count() == 0);
  event.set();
  CHECK(later.count() == 1);
}

TEST_CASE("copies are the same event") {
  const Event event;
  const Event copy = event;
  copy.set();
  CHECK(event.isSet());
}

TEST_CASE("a request to stop ends a wait for an event, and leaves the others") {
  const Event event;
  const StopSource stop;
  Delivery<void> stopped, other;
  event.wait().onComplete(stopped.callback(), stop.token());
  event.wait().onComplete(other.callback());
  stop.requestStop();
  CHECK(outcomeText(stopped.outcome()) == "cancelled");
  CHECK(other.count() == 0);
  event.set();
  CHECK(other.count() == 1);
}

TEST_CASE("a masked wait for an event ignores a request to stop") {
  const Event event;
  const StopSource stop;
  Delivery<void> masked;
  mask(event.wait()).onComplete(masked.callback(), stop.token());
  stop.requestStop();
  CHECK(masked.count() == 0);
  event.set();
  CHECK(masked.count() == 1);
}

TEST_CASE("an event that is never set is a deadlock, whose message names the wait") {
  Scheduler scheduler;
  CHECK_THROWS_WITH_AS(static_cast<void>(scheduler.run(Event().wait())), doctest::Contains("Event::wait"),
                       testing::Deadlock);
}

TEST_CASE("an event wakes runs of a pool, set from another thread") {
  ThreadPool pool(2);
  const Event event;
  std::atomic<int> woken = 0;
  Event all;
  for (int i = 0; i < 100; ++i)
    event.wait()
        .map([&] {
          if (++woken == 100) all.set();
        })
        .onComplete([](Outcome<void>) {}, pool);
  std::thread setter([&] { event.set(); });
  all.wait().blockingAwait();
  setter.join();
  CHECK(woken == 100);
}

TEST_CASE("a million waits for a set event need no stack") {
  Event event;
  event.set();
  CHECK(test::inSequence([event] { return event.wait(); }, test::million).blockingAwait() == 0);
}
