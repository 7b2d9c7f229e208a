#include "tapestry/continuation/asio/thread_pool.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <latch>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "support/programs/runs.hpp"
#include "support/system/child_process.hpp"
#include "support/threads/on_threads.hpp"
#include "support/threads/within.hpp"
#include "tapestry/continuation/ensure.hpp"
#include "tapestry/continuation/mask.hpp"
#include "tapestry/continuation/on.hpp"
#include "tapestry/continuation/parallel/detail/group_member.hpp"
#include "tapestry/continuation/parallel/detail/run_group.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"
#include "tapestry/continuation/repeat.hpp"
#include "tapestry/continuation/shift.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/stop_token.hpp"
#include "tapestry/testing/virtual_clock.hpp"

using namespace tapestry;
using test::Counted;
using test::Delivery;
using test::Manual;

namespace {

auto threadId() {
  return delay([] { return std::this_thread::get_id(); });
}

}  // namespace

TEST_CASE("a pool has the number of threads that was asked for and at least one by default") {
  CHECK(ThreadPool(3).size() == 3);
  CHECK(ThreadPool().size() >= 1);
  CHECK_THROWS_WITH_AS(ThreadPool(0), "tapestry::ThreadPool: got 0 threads, expected at least 1",
                       std::invalid_argument);
}

TEST_CASE("a pool of more threads than the system gives is an error, and not a wait for ever") {
  const auto ending = test::inChild([] {
    if (!test::limitThreads(8)) return;
    try {
      const ThreadPool pool(64);
    } catch (const std::system_error& error) {
      std::fputs(error.what(), stderr);
    }
  });
  CHECK(ending.status == 0);
  CHECK(ending.text.starts_with("tapestry::ThreadPool: the system gives no more threads, got "));
  CHECK(ending.text.find(", expected 64") != std::string::npos);
}

TEST_CASE("only the threads of a pool are here") {
  ThreadPool pool(1);
  ThreadPool other(1);
  CHECK_FALSE(pool.isHere());
  CHECK(execute(pool, [&] { return pool.isHere(); }).blockingAwait());
  CHECK_FALSE(execute(pool, [&] { return other.isHere(); }).blockingAwait());
}

TEST_CASE("a run that is started on a pool works on its threads only") {
  ThreadPool pool(2);
  Delivery<std::thread::id> delivery;
  threadId().flatMap([](std::thread::id) { return threadId(); }).onComplete(delivery.callback(), pool);
  CHECK(delivery.outcome().get() != std::this_thread::get_id());
  CHECK(delivery.thread() != std::this_thread::get_id());
}

TEST_CASE("all threads of a pool work at once") {
  constexpr unsigned threads = 4;
  std::barrier meeting(threads);
  std::atomic<int> met{0};
  ThreadPool pool(threads);
  for (unsigned i = 0; i < threads; ++i)
    delay([&] { meeting.arrive_and_wait(), ++met; }).onComplete([](Outcome<void>) {}, pool);
  CHECK(test::within(std::chrono::seconds(10), [&] { return met == threads; }));
}

TEST_CASE(
    "a pool wakes as many threads as there are tasks, whether the others are asleep, awake or at work") {
  constexpr int rounds = 500;
  std::barrier meeting(3);
  std::atomic<int> ended{0};
  ThreadPool pool(3);
  for (int round = 1; round <= rounds; ++round) {
    for (int i = 0; i < 3; ++i)
      execute(pool, [&] { meeting.arrive_and_wait(); }).onComplete([&](const auto&) { ++ended; });
    REQUIRE(test::within(std::chrono::seconds(10), [&] { return ended == 3 * round; }));
    if (round % 5 == 0) std::this_thread::sleep_for(std::chrono::microseconds(round));
  }
}

TEST_CASE("destroying a pool waits for the work that was posted, of which what has not begun is cancelled") {
  std::atomic<int> begun{0};
  std::atomic<int> ended{0};
  std::atomic<int> cancelled{0};
  std::latch first(2);
  {
    ThreadPool pool(1);
    stopToken()
        .map([&](const StopToken& stop) {
          first.arrive_and_wait();
          while (!stop.stopRequested()) std::this_thread::yield();
        })
        .onComplete([&](const Outcome<void>& outcome) { ended += outcome.hasValue(); }, pool);
    for (int i = 0; i < 1000; ++i)
      delay([&] { ++begun; })
          .onComplete([&](const Outcome<void>& outcome) { ++(outcome.isCancelled() ? cancelled : ended); },
                      pool);
    first.arrive_and_wait();
  }
  CHECK(ended == 1 + begun);
  CHECK(cancelled == 1000 - begun);
  CHECK(cancelled > 0);
}

TEST_CASE("a pool may be destroyed in a step of a run, and its waiting runs without an executor end there") {
  Manual<int> manual;
  Delivery<int> delivery;
  const auto program = delay([&] {
    ThreadPool pool(1);
    on(Executor::inlined(), manual.program()).onComplete(delivery.callback(), pool);
    while (manual.waiting() == 0) std::this_thread::yield();
  });
  program.onComplete([](const Outcome<void>&) {});
  CHECK(delivery.outcome().isCancelled());
}

TEST_CASE("a run that a caller blocks for, which is on a pool and never waits, ends with the pool") {
  auto pool = std::make_unique<ThreadPool>(1);
  std::latch arrived(1);
  const std::jthread destroyer([&] { arrived.wait(), pool.reset(); });
  int finalizers = 0;
  const auto spinning = shift(*pool).flatMap([&] {
    arrived.count_down();
    return forever(now());
  });
  CHECK_THROWS_AS(ensure(spinning, delay([&] { ++finalizers; })).blockingAwait(), ExecutorStopped);
  CHECK(finalizers == 1);
}

TEST_CASE("a pool of one thread keeps the order of the tasks of one thread, asleep or awake") {
  constexpr int rounds = 300;
  std::vector<int> order;
  {
    ThreadPool pool(1);
    for (int i = 0; i < rounds; ++i) {
      execute(pool, [&order, i] { order.push_back(i); }).onComplete([](const auto&) {});
      if (i % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(i));
    }
  }
  REQUIRE(order.size() == rounds);
  CHECK(std::ranges::is_sorted(order));
}

TEST_CASE("a thread of a pool that waits for work awake is asleep soon") {
  const auto processorTime = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  ThreadPool pool(2);
  for (int i = 0; i < 5; ++i) execute(pool, [] {}).blockingAwait();
  const double before = processorTime();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  CHECK(processorTime() - before < 0.1);
}

TEST_CASE("blockingAwait with a pool does its own work on the calling thread") {
  ThreadPool pool(2);
  CHECK(threadId().blockingAwait(pool) == std::this_thread::get_id());
}

TEST_CASE("blockingAwait on a worker is an error instead of a deadlock") {
  ThreadPool pool(1);
  const auto nested = execute(pool, [] {
    try {
      now(1).blockingAwait();
    } catch (const std::logic_error& error) {
      return std::string(error.what());
    }
    return std::string();
  });
  CHECK(nested.blockingAwait().starts_with("tapestry::blockingAwait: "));
}

TEST_CASE("a pool that is destroyed on its own thread ends the process with a message and does not wait") {
  const std::string words = test::lastWords([] {
    auto pool = std::make_unique<ThreadPool>(1);
    ThreadPool& alive = *pool;
    execute(alive, [&] { pool.reset(); }).blockingAwait();
  });
  CHECK(words.starts_with("tapestry::ThreadPool: destroyed on one of its own threads"));
}

TEST_CASE("a pool that is idle takes as many offers as it has threads") {
  ThreadPool pool(1);
  CHECK(pool.idle());
  Manual<void> manual;
  std::barrier held(2);
  Delivery<void> delivery;
  delay([&] { held.arrive_and_wait(), held.arrive_and_wait(); }).onComplete(delivery.callback(), pool);
  held.arrive_and_wait();
  CHECK_FALSE(pool.idle());
  const auto id = std::this_thread::get_id();
  CHECK(tuple2(parallel(threadId()), parallel(threadId())).blockingAwait(pool) == std::tuple(id, id));
  held.arrive_and_wait();
  delivery.outcome();
}

TEST_CASE("many runs that are started from many threads all end") {
  std::atomic<int> sum{0};
  std::atomic<int> ended{0};
  {
    ThreadPool pool(3);
    test::onThreads(4, [&](int) {
      for (int i = 0; i < 1000; ++i)
        tuple2(parallel(delay([] { return Counted(1); })), parallel(now(2)))
            .flatMap([&](const std::tuple<Counted, int>& both) { return now(std::get<0>(both).value()); })
            .onComplete(
                [&](Outcome<int> outcome) {
                  sum += outcome.get();
                  ++ended;
                },
                pool);
    });
    while (ended < 4000) std::this_thread::yield();
  }
  CHECK(sum == 4000);
  CHECK(Counted::live() == 0);
}

TEST_CASE("a pool that goes stops its runs, and waits for them and what they have to finish") {
  Manual<void> leaf;
  Delivery<int> waiting;
  Delivery<int> busy;
  std::atomic<int> finalized{0};
  const auto finalizer =
      UnitContinuation<void>(sleepFor(std::chrono::milliseconds(5)).map([&] { ++finalized; }));
  {
    ThreadPool pool(2);
    ensure(sleepFor(std::chrono::hours(1)).map([] { return 1; }), finalizer)
        .onComplete(waiting.callback(), pool);
    ensure(forever(now(1)).map([] { return 1; }), finalizer).onComplete(busy.callback(), pool);
  }
  CHECK(waiting.outcome().isCancelled());
  CHECK(busy.outcome().isCancelled());
  CHECK(finalized == 2);
}

TEST_CASE("a run of a pool is still stopped by its own token, and an ended run by neither") {
  const StopSource source;
  ThreadPool pool(1);
  Delivery<void> delivery;
  Delivery<int> ended;
  sleepFor(std::chrono::hours(1)).onComplete(delivery.callback(), pool, source.token());
  now(1).onComplete(ended.callback(), pool, source.token());
  CHECK(ended.outcome().get() == 1);
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
}

TEST_CASE("a pool that is destroyed does not wait for a callback that never comes") {
  Manual<int> manual;
  Delivery<int> delivery;
  {
    ThreadPool pool(1);
    manual.program().onComplete(delivery.callback(), pool);
    while (manual.waiting() == 0) std::this_thread::yield();
  }
  CHECK(delivery.count() == 1);
  CHECK(delivery.outcome().isCancelled());
  manual.take()(1);
  CHECK(delivery.count() == 1);
}

TEST_CASE("a destroyed pool refuses runs that were started elsewhere and return to it") {
  testing::VirtualClock clock;
  Delivery<void> sleeping;
  Delivery<int> shifting;
  std::atomic<int> finalized{0};
  const auto finalizer = delay([&] { ++finalized; });
  {
    ThreadPool pool(1);
    ThreadPool other(1);
    const auto sleep = withClock(clock, sleepFor(std::chrono::milliseconds(1)));
    ensure(shift(pool).flatMap([&] { return sleep; }), finalizer).onComplete(sleeping.callback());
    ensure(shift(pool).flatMap([&] { return on(other, sleepFor(std::chrono::milliseconds(1))); }).map([] {
      return 1;
    }),
           finalizer)
        .onComplete(shifting.callback());
    CHECK(shifting.outcome().get() == 1);
  }
  clock.advance(std::chrono::milliseconds(1));
  CHECK(test::isError<ExecutorStopped>(sleeping.outcome().error()));
  CHECK(finalized == 2);
}

TEST_CASE("a pool that is destroyed stops a run from elsewhere that never waits on it") {
  Delivery<void> looping;
  Delivery<void> masked;
  {
    ThreadPool pool(1);
    std::atomic<int> begun{0};
    const auto begin = shift(pool).map([&] { ++begun; });
    begin.flatMap([] { return forever(now(1)); }).onComplete(looping.callback());
    begin.flatMap([] { return forever(mask(now(1))); }).onComplete(masked.callback());
    while (begun != 2) std::this_thread::yield();
  }
  CHECK(test::isError<ExecutorStopped>(looping.outcome().error()));
  CHECK(test::isError<ExecutorStopped>(masked.outcome().error()));
}

TEST_CASE("pools come and go while runs are started, stopped and end") {
  for (int round = 0; round < 300; ++round) {
    std::vector<Delivery<int>> deliveries(8);
    const StopSource source;
    {
      ThreadPool pool(2);
      for (auto& delivery : deliveries)
        sleepFor(std::chrono::microseconds(round))
            .map([] { return 1; })
            .onComplete(delivery.callback(), pool, source.token());
      if (round % 2) source.requestStop();
    }
    for (auto& delivery : deliveries) CHECK(delivery.count() == 1);
  }
}

TEST_CASE("a run that could not be made does not keep its group waiting") {
  detail::RunGroup group;
  const StopSource source;
  { const auto member = detail::makeRef<detail::GroupMember>(group, source.token()); }
  source.requestStop();
  group.stopAndWait();
  CHECK(source.stopRequested());
}
