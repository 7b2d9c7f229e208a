#include "tapestry/concurrent/mutex.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "support/callable.hpp"
#include "support/programs/in_sequence.hpp"
#include "support/programs/runs.hpp"
#include "support/sanitizers.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/par_for_each.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using test::Delivery;
using test::errorOf;
using test::Manual;
using test::outcomeText;
using testing::Scheduler;

static_assert(TAPESTRY_MEMBER_CALLABLE(withLock, Mutex, Do<int>));
static_assert(!TAPESTRY_MEMBER_CALLABLE(withLock, Mutex, int));

TEST_CASE("a lock is held until the end of the scope that took it, also if the scope fails") {
  const Mutex mutex;
  const auto locked = Do<bool>::delay([mutex] { return mutex.isLocked(); });
  CHECK_FALSE(mutex.isLocked());
  CHECK(mutex.lock().flatMap([=] { return locked; }).blockingAwait());
  CHECK_FALSE(mutex.isLocked());
  CHECK(mutex.withLock(locked).blockingAwait());
  CHECK_FALSE(mutex.withLock(locked).flatMap([=](bool) { return locked; }).blockingAwait());
  const auto failing = mutex.lock().map([] { throw std::runtime_error("failed"); });
  for (int i = 0; i < 2; ++i)
    CHECK(errorOf([&] {
            failing.blockingAwait();
            return 0;
          }) == "failed");
  CHECK_FALSE(mutex.isLocked());
}

TEST_CASE("runs get the lock in the order of arrival") {
  const Mutex mutex;
  Manual<void> holding;
  std::string log;
  const auto holder = [&](const char* name) {
    return mutex.lock().flatMap([&, name] {
      log += name;
      return Do<void>::lift(holding.program());
    });
  };
  std::vector<Delivery<void>> ends(3);
  holder("a").onComplete(ends[0].callback());
  holder("b").onComplete(ends[1].callback());
  holder("c").onComplete(ends[2].callback());
  CHECK(log == "a");
  holding.take()();
  CHECK(log == "ab");
  CHECK(ends[0].count() == 1);
  CHECK(mutex.isLocked());
  holding.take()();
  holding.take()();
  CHECK(log == "abc");
  CHECK_FALSE(mutex.isLocked());
}

TEST_CASE("a try for the lock yields false where another run has it") {
  const Mutex mutex;
  Manual<void> holding;
  Delivery<void> end;
  CHECK(mutex.tryLock().blockingAwait());
  CHECK_FALSE(mutex.isLocked());
  mutex.lock().flatMap([&] { return Do<void>::lift(holding.program()); }).onComplete(end.callback());
  CHECK_FALSE(mutex.tryLock().blockingAwait());
  CHECK(mutex.isLocked());
  holding.take()();
  CHECK(mutex.tryLock().map([=](bool got) { return got && mutex.isLocked(); }).blockingAwait());
}

TEST_CASE("a request to stop ends a wait for the lock, and the next one gets it") {
  const Mutex mutex;
  Manual<void> holding;
  const StopSource stop;
  Delivery<void> holder, stopped, next;
  mutex.lock().flatMap([&] { return Do<void>::lift(holding.program()); }).onComplete(holder.callback());
  mutex.lock().onComplete(stopped.callback(), stop.token());
  mutex.lock().onComplete(next.callback());
  stop.requestStop();
  CHECK(outcomeText(stopped.outcome()) == "cancelled");
  CHECK(next.count() == 0);
  holding.take()();
  CHECK(next.count() == 1);
  CHECK_FALSE(mutex.isLocked());
}

TEST_CASE("a run that comes twice for the lock is a deadlock, which names the wait") {
  Scheduler scheduler;
  const Mutex mutex;
  CHECK_THROWS_WITH_AS(static_cast<void>(scheduler.run(mutex.lock().flatMap([=] { return mutex.lock(); }))),
                       doctest::Contains("Mutex::lock"), testing::Deadlock);
  CHECK_FALSE(mutex.isLocked());
}

TEST_CASE("one run at a time holds the lock, in any order of steps") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Scheduler scheduler(seed);
    const Mutex mutex;
    int inside = 0, most = 0, done = 0;
    const auto work = [&](int) {
      return mutex.withLock(Do<void>::delay([&] {
                              most = std::max(most, ++inside);
                            }).flatMap([] {
                                return Do<void>::lift(sleepFor(std::chrono::seconds(1)));
                              }).map([&] { --inside, ++done; }));
    };
    CHECK(outcomeText(scheduler.run(parForEach(std::vector<int>(8), 8, work))) == "value");
    CHECK(most == 1);
    CHECK(done == 8);
    CHECK_FALSE(mutex.isLocked());
  }
}

TEST_CASE("a request to stop at any step leaves the lock free") {
  const Mutex mutex;
  const auto make = [&] {
    const auto one = mutex.withLock(Do<int>::lift(sleepFor(std::chrono::seconds(1)).map([] { return 1; })));
    return tuple2(parallel(one), parallel(one));
  };
  std::size_t cancelled = 0;
  const auto runs = testing::cancelAtEveryStep(make, [&](const auto& outcome, std::size_t) {
    cancelled += outcome.isCancelled();
    CHECK_FALSE(mutex.isLocked());
  });
  CHECK(runs > 5);
  CHECK(cancelled > 4);
}

TEST_CASE("a mutex guards what runs on several threads do") {
  ThreadPool pool(4);
  const Mutex mutex;
  int counted = 0;
  const auto add = mutex.withLock(Do<void>::delay([&] { ++counted; }));
  const auto program = parForEach(std::vector<int>(10'000), 16, [&](int) { return add; });
  Delivery<void> end;
  program.onComplete(end.callback(), pool);
  CHECK(outcomeText(end.outcome()) == "value");
  CHECK(counted == 10'000);
}

TEST_CASE("a million locks in sequence need no stack") {
  const Mutex mutex;
  CHECK(test::inSequence([mutex] { return mutex.lock().run(); }, test::million).blockingAwait() == 0);
}
