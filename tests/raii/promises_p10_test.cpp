// P10: the library calls no code of a user, and no destructor, while it holds a lock. Each test hangs if it
// does.
#include <doctest/doctest.h>

#include <deque>
#include <sstream>
#include <vector>

#include "support/programs/besides.hpp"
#include "support/programs/runs.hpp"
#include "support/threads/within.hpp"
#include "tapestry/continuation/named.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/stop_callback.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/memoize.hpp"
#include "tapestry/raii/pool.hpp"
#include "tapestry/raii/semaphore.hpp"
#include "tapestry/testing.hpp"

using namespace tapestry;
using test::Besides;
using test::Delivery;
using test::Manual;
using test::Nosy;

namespace {

/// More would never end, since what is done besides copies values too.
constexpr int most = 100;

}  // namespace

TEST_CASE("P10: a memoized value and the runs that wait for it are in no lock") {
  Manual<Nosy> manual;
  const auto memo = memoize(Do<Nosy>::lift(manual.program()));
  std::vector<Delivery<Nosy>> deliveries(3);
  for (auto& delivery : deliveries) memo.onComplete(delivery.callback());
  std::deque<Delivery<Nosy>> others;
  const Besides besides([&] { memo.onComplete(others.emplace_back().callback()); }, most);
  const auto callback = manual.take();
  callback(Nosy());
  for (auto& delivery : deliveries) CHECK(delivery.outcome().hasValue());
  CHECK(others.size() > 0);
  for (auto& delivery : others) CHECK(delivery.outcome().hasValue());
}

TEST_CASE("P10: a shared value is opened, used and closed in no lock") {
  const auto shared = Do<Nosy>::delay([] { return Nosy(); }).shared();
  std::deque<Delivery<void>> others;
  {
    const Besides besides(
        [&] { shared.map([](const Handle<Nosy>&) {}).onComplete(others.emplace_back().callback()); }, most);
    shared.map([](const Handle<Nosy>& nosy) { const Nosy copy(*nosy); }).blockingAwait();
  }
  CHECK(others.size() > 0);
  for (auto& delivery : others) CHECK(delivery.outcome().hasValue());
}

TEST_CASE("P10: instances of a pool are made, checked and dropped in no lock") {
  std::deque<Delivery<void>> others;
  Pool<Nosy>::scoped(2, Do<Nosy>::delay([] { return Nosy(); }))
      .map([&](const Pool<Nosy>& pool) {
        const auto use = pool.use().map([](const Handle<Nosy>& nosy) { const Nosy copy(*nosy); });
        const Besides besides([&] { use.onComplete(others.emplace_back().callback()); }, most);
        use.blockingAwait();
      })
      .blockingAwait();
  CHECK(others.size() > 0);
  for (auto& delivery : others) CHECK(delivery.outcome().hasValue());
}

TEST_CASE(
    "P10: a run that a semaphore admits may take its permits at once, and stop the other waiting runs") {
  const Semaphore semaphore(2);
  Manual<void> manual;
  Delivery<void> holder;
  semaphore.permit(2).flatMap([&] { return Do<void>::lift(manual.program()); }).onComplete(holder.callback());
  const StopSource source;
  std::vector<Delivery<bool>> entered(2);
  Delivery<void> stopped;
  for (auto& delivery : entered)
    semaphore.permit()
        .map([&] {
          source.requestStop();
          return semaphore.tryPermit().blockingAwait();
        })
        .onComplete(delivery.callback());
  semaphore.permit(2).onComplete(stopped.callback(), source.token());
  manual.take()();
  CHECK(entered[0].outcome().hasValue());
  CHECK(entered[1].outcome().hasValue());
  CHECK(stopped.outcome().isCancelled());
}

TEST_CASE("P10: a callback of a request may make other requests, add callbacks, and list the runs") {
  const StopSource source;
  const StopSource other;
  Manual<int> manual;
  Delivery<int> delivery;
  manual.program().named("waits").onComplete(delivery.callback(), source.token());
  Delivery<int> ofOther;
  manual.program().named("other").onComplete(ofOther.callback(), other.token());
  int calls = 0;
  std::ostringstream runs;
  const StopCallback ofOthers(other.token(), [&] { ++calls; });
  const StopCallback callback(source.token(), [&] {
    const StopCallback again(source.token(), [&] { ++calls; });
    source.requestStop();
    other.requestStop();
    dumpRuns(runs);
  });
  source.requestStop();
  CHECK(calls == 2);
  CHECK(delivery.outcome().isCancelled());
  CHECK(ofOther.outcome().isCancelled());
}

TEST_CASE("P10: a run that a timer resumes may set timers of the same clock, and let its time pass") {
  using namespace std::chrono_literals;
  testing::VirtualClock clock;
  int times = 0;
  Delivery<void> inner;
  Delivery<void> outer;
  const auto program = sleepFor(1h).map([&] {
    ++times;
    withClock(clock, sleepFor(1h).map([&] { ++times; })).onComplete(inner.callback());
  });
  withClock(clock, program).onComplete(outer.callback());
  clock.advance(2h);
  CHECK(outer.outcome().hasValue());
  CHECK(inner.outcome().hasValue());
  CHECK(times == 2);
}

TEST_CASE("P10: tasks of a pool post others, and values that go with them come back to it") {
  ThreadPool pool(1);
  Delivery<void> delivery;
  std::atomic<int> posted{0};
  execute(pool, [&] {
    for (int i = 0; i < 10; ++i)
      execute(pool, [&, nosy = Nosy()] { ++posted; }).onComplete([](const Outcome<void>&) {});
  }).onComplete(delivery.callback());
  CHECK(delivery.outcome().hasValue());
  Delivery<void> after;
  execute(pool, [] {}).onComplete(after.callback());
  CHECK(after.outcome().hasValue());
  CHECK(test::within(std::chrono::seconds(10), [&] { return posted == 10; }));
}
