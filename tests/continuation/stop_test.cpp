#include "tapestry/continuation/stop.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <latch>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "support/programs/runs.hpp"
#include "support/threads/executors.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/direct/direct.hpp"
#include "tapestry/continuation/ensure.hpp"
#include "tapestry/continuation/mask.hpp"
#include "tapestry/continuation/memoize.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"
#include "tapestry/continuation/shift.hpp"
#include "tapestry/continuation/suspend.hpp"
#include "tapestry/continuation/tail_rec_m.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using test::Counted;
using test::Delivery;
using test::Manual;

TEST_CASE("a default token never stops") {
  CHECK_FALSE(StopToken().stopRequested());
  CHECK(now(1).flatMap([](int x) { return now(x); }).blockingAwait(StopToken()) == 1);
}

TEST_CASE("a token shows whether its source has requested a stop") {
  const StopSource source;
  const auto token = source.token();
  const auto copy = token;
  CHECK_FALSE(token.stopRequested());
  source.requestStop();
  CHECK(source.stopRequested());
  CHECK(copy.stopRequested());
}

TEST_CASE("sources do not stop each other and copies of one source are one") {
  const StopSource first;
  const StopSource second;
  const StopSource copy = first;
  copy.requestStop();
  CHECK(first.stopRequested());
  CHECK_FALSE(second.stopRequested());
}

TEST_CASE("a token outlives its source") {
  StopToken token;
  {
    const StopSource source;
    token = source.token();
    source.requestStop();
  }
  CHECK(token.stopRequested());
}

TEST_CASE("a request that is seen at a flatMap cancels the run and nothing after it is called") {
  const StopSource source;
  int before = 0;
  int after = 0;
  Delivery<int> delivery;
  delay([&] { return source.requestStop(), ++before; })
      .flatMap([&](int x) { return ++after, now(x); })
      .map([&](int x) { return ++after, x; })
      .onComplete(delivery.callback(), source.token());
  CHECK(delivery.outcome().isCancelled());
  CHECK(before == 1);
  CHECK(after == 0);
}

TEST_CASE("cancellation is thrown to the awaiting caller and is no std::exception") {
  const StopSource source;
  source.requestStop();
  const auto program = now(1).flatMap([](int x) { return now(x); });
  CHECK_THROWS_AS(program.blockingAwait(source.token()), Cancelled);
}

TEST_CASE("a second request has no further effect") {
  const StopSource source;
  int finalizers = 0;
  Delivery<int> delivery;
  ensure(delay([&] { return source.requestStop(), source.requestStop(), 1; }).flatMap([](int x) {
    return now(x);
  }),
         delay([&] { source.requestStop(), ++finalizers; }))
      .onComplete(delivery.callback(), source.token());
  source.requestStop();
  CHECK(delivery.count() == 1);
  CHECK(delivery.outcome().isCancelled());
  CHECK(finalizers == 1);
}

TEST_CASE("a request that comes after the work has no effect") {
  const StopSource source;
  Delivery<int> delivery;
  now(1).flatMap([](int x) { return now(x + 1); }).onComplete(delivery.callback(), source.token());
  source.requestStop();
  CHECK(delivery.count() == 1);
  CHECK(delivery.outcome().get() == 2);
}

TEST_CASE("a request after the last flatMap leaves the value") {
  const StopSource source;
  const auto program =
      now(1).flatMap([](int x) { return now(x); }).map([&](int x) { return source.requestStop(), x + 1; });
  CHECK(program.blockingAwait(source.token()) == 2);
}

TEST_CASE("a run that waits for a callback sees the request at once and a late call has no effect") {
  const StopSource source;
  Manual<int> manual;
  Delivery<int> delivery;
  int steps = 0;
  manual.program()
      .flatMap([&](int x) { return ++steps, now(x); })
      .onComplete(delivery.callback(), source.token());
  CHECK(delivery.count() == 0);
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
  manual.take()(1);
  CHECK(delivery.count() == 1);
  CHECK(steps == 0);
}

TEST_CASE("a run that waits under a mask sees the request at the next flatMap outside") {
  const StopSource source;
  Manual<int> manual;
  Delivery<int> delivery;
  int steps = 0;
  manual.deaf()
      .flatMap([&](int x) { return ++steps, now(x); })
      .onComplete(delivery.callback(), source.token());
  source.requestStop();
  CHECK(delivery.count() == 0);
  manual.take()(1);
  CHECK(delivery.outcome().isCancelled());
  CHECK(steps == 0);
}

TEST_CASE("the Deadlock of a run of cancelAtEveryStep that was not yet asked to stop says so") {
  const auto hangs = [] {
    return async<void>([](const Callback<void>& callback) {
      // the callback is never called: the run waits until it is asked to stop
      static auto& kept = *new std::vector<Callback<void>>;
      kept.push_back(callback);
    });
  };
  std::size_t ended = 0;
  try {
    testing::cancelAtEveryStep(hangs, [&](const Outcome<void>&, std::size_t) { ++ended; });
    FAIL("expected Deadlock");
  } catch (const testing::Deadlock& deadlock) {
    CHECK(ended > 0);
    CHECK(std::string(deadlock.what())
              .ends_with("\nnot yet asked to stop, which was due before step " + std::to_string(ended)));
  }
}

TEST_CASE("a run that was asked to stop before it waits registers nothing") {
  const StopSource source;
  Manual<int> manual;
  Delivery<int> delivery;
  source.requestStop();
  manual.program().onComplete(delivery.callback(), source.token());
  CHECK(delivery.outcome().isCancelled());
  CHECK(manual.waiting() == 0);
}

TEST_CASE("a request from within the registration stops the run after it") {
  const StopSource source;
  Delivery<int> delivery;
  std::optional<Callback<int>> kept;
  async<int>([&](Callback<int> callback) {
    source.requestStop();
    CHECK(delivery.count() == 0);
    kept = std::move(callback);
  }).onComplete(delivery.callback(), source.token());
  CHECK(delivery.outcome().isCancelled());
  (*kept)(1);
  CHECK(delivery.count() == 1);
}

TEST_CASE("a value that comes before the request wins and a value that comes after it is destroyed") {
  for (const bool valueFirst : {true, false}) {
    const StopSource source;
    Manual<Counted> manual;
    Delivery<int> delivery;
    manual.program().map([](const Counted&) { return 1; }).onComplete(delivery.callback(), source.token());
    if (valueFirst) manual.take()(Counted(1));
    source.requestStop();
    if (!valueFirst) manual.take()(Counted(1));
    CHECK(delivery.count() == 1);
    CHECK(delivery.outcome().hasValue() == valueFirst);
    CHECK(Counted::live() == 0);
  }
}

TEST_CASE("a run that is stopped while it waits continues on its own executor") {
  ThreadPool pool(1);
  const StopSource source;
  Manual<int> manual;
  Delivery<int> delivery;
  std::atomic<bool> there{false};
  ensure(manual.program(), delay([&] { there = pool.isHere(); }))
      .onComplete(delivery.callback(), pool, source.token());
  while (manual.waiting() == 0) std::this_thread::yield();
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
  CHECK(there);
}

TEST_CASE("one source stops all the runs that hold its token") {
  const StopSource source;
  Manual<int> manual;
  std::vector<Delivery<int>> deliveries(3);
  const auto program = manual.program().flatMap([](int x) { return now(x); });
  for (auto& delivery : deliveries) program.onComplete(delivery.callback(), source.token());
  Delivery<int> other;
  program.onComplete(other.callback());
  source.requestStop();
  while (manual.waiting() > 0) manual.take()(1);
  for (auto& delivery : deliveries) CHECK(delivery.outcome().isCancelled());
  CHECK(other.outcome().get() == 1);
}

TEST_CASE("a request from another thread stops an endless loop") {
  const StopSource source;
  std::atomic<int> rounds{0};
  std::jthread stopper([&] {
    while (rounds < 1000) std::this_thread::yield();
    source.requestStop();
  });
  const auto endless =
      tailRecM(0, [&](int) { return delay([&] { return ++rounds, Step<int, int>::next(0); }); });
  CHECK_THROWS_AS(endless.blockingAwait(source.token()), Cancelled);
  CHECK(rounds >= 1000);
}

TEST_CASE("values that a stopped run held are destroyed") {
  {
    const StopSource source;
    Delivery<Counted> delivery;
    delay([&] {
      return source.requestStop(), Counted(1);
    }).flatMap([captured = Counted(2)](Counted value) {
        return now(std::move(value));
      }).onComplete(delivery.callback(), source.token());
    CHECK(delivery.outcome().isCancelled());
    CHECK(Counted::live() == 0);
  }
  CHECK(Counted::live() == 0);
}

TEST_CASE("requests that race with each other and with the end of the run give one outcome") {
  constexpr int rounds = 2'000;
  std::atomic<int> finalizers{0};
  int ended = 0;
  for (int i = 0; i < rounds; ++i) {
    const StopSource source;
    Manual<int> manual;
    Delivery<int> delivery;
    ensure(manual.program().flatMap([](int x) { return now(x); }), delay([&] { ++finalizers; }))
        .onComplete(delivery.callback(), source.token());
    std::jthread first([&] { source.requestStop(); });
    std::jthread second([&] { manual.take()(1); });
    source.requestStop();
    first.join();
    second.join();
    ended += delivery.count();
  }
  CHECK(ended == rounds);
  CHECK(finalizers == rounds);
}

TEST_CASE("a run whose executor has stopped is cancelled if that is what ended its wait") {
  const StopSource source;
  Manual<int> manual;
  test::QueueExecutor executor;
  Delivery<int> delivery;
  manual.program().onComplete(delivery.callback(), executor, source.token());
  executor.work();
  executor.stop();
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
}

TEST_CASE("a leaf that has not begun is not, once the run has been asked to stop") {
  int calls = 0;
  const auto touch = [&calls] { return ++calls; };
  const auto touchOf = [&calls](auto&&...) { return ++calls; };
  const StopSource source;
  source.requestStop();
  const auto isCancelled = [&](const auto& program) {
    using A = typename std::remove_cvref_t<decltype(program)>::ValueType;
    Delivery<A> delivery;
    program.onComplete(delivery.callback(), source.token());
    return delivery.outcome().isCancelled();
  };
  CHECK(isCancelled(now(1)));
  CHECK(isCancelled(delay(touch)));
  CHECK(isCancelled(now(1).map(touchOf)));
  CHECK(isCancelled(delay(touch).map(touchOf)));
  CHECK(isCancelled(delay(touch).flatMap([](int x) { return now(x); })));
  CHECK(isCancelled(suspend([&] { return delay(touch); })));
  CHECK(isCancelled(memoize(delay(touch))));
  CHECK(isCancelled(execute(Executor::inlined(), touch)));
  CHECK(isCancelled(shift(Executor::inlined()).map(touch)));
  CHECK(isCancelled(direct<UnitContinuation>([&] { return touch(); })));
  CHECK(isCancelled(tuple2(delay(touch), delay(touch))));
  CHECK(isCancelled(tuple2(parallel(delay(touch)), parallel(delay(touch)))));
  CHECK(calls == 0);
  CHECK_FALSE(isCancelled(mask(delay(touch))));
  CHECK(calls == 1);
}

TEST_CASE("a run that is asked to stop while it waits for its executor does not continue there") {
  ThreadPool pool(1);
  std::latch busy(2), asked(2);
  delay([&] { busy.arrive_and_wait(), asked.arrive_and_wait(); }).onComplete([](Outcome<void>) {}, pool);
  busy.arrive_and_wait();
  const StopSource source;
  std::atomic<bool> called{false};
  Delivery<void> delivery;
  execute(pool, [&] { called = true; }).onComplete(delivery.callback(), source.token());
  source.requestStop();
  asked.arrive_and_wait();
  CHECK(delivery.outcome().isCancelled());
  CHECK_FALSE(called);
}
