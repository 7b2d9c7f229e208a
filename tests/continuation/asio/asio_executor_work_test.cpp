#include "tapestry/continuation/asio/asio_executor.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <thread>
#include <vector>

#include "support/programs/runs.hpp"
#include "support/threads/io_threads.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/ensure.hpp"
#include "tapestry/continuation/on.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"
#include "tapestry/continuation/shift.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/tail_rec_m.hpp"
#include "tapestry/testing/virtual_clock.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using test::Delivery;
using test::IoThreads;
using test::isError;
using test::Manual;

TEST_CASE("a stopped context refuses runs until it is restarted") {
  asio::io_context context;
  AsioExecutor executor(context);
  context.stop();
  Delivery<int> refused;
  delay([] { return 1; }).onComplete(refused.callback(), executor);
  REQUIRE(refused.count() == 1);
  CHECK(isError<ExecutorStopped>(refused.outcome().error()));
  CHECK_THROWS_AS(shift(executor).blockingAwait(), ExecutorStopped);
  context.restart();
  Delivery<int> delivery;
  delay([] { return 1; }).onComplete(delivery.callback(), executor);
  CHECK(delivery.count() == 0);
  context.run();
  CHECK(delivery.outcome().get() == 1);
}

TEST_CASE("a task that was posted to a context before the stop waits until the context is restarted") {
  asio::io_context context;
  AsioExecutor executor(context);
  Delivery<int> delivery;
  delay([] { return 1; }).onComplete(delivery.callback(), executor);
  context.stop();
  context.run();
  CHECK(delivery.count() == 0);
  context.restart();
  context.run();
  CHECK(delivery.outcome().get() == 1);
}

TEST_CASE("a context that has run out of work refuses runs that come to it, and their finalizers run") {
  asio::io_context context;
  AsioExecutor executor(context);
  Manual<int> manual;
  Delivery<void> delivery;
  int finalizers = 0;
  ensure(manual.program().flatMap([&](int) { return shift(executor); }), delay([&] { ++finalizers; }))
      .onComplete(delivery.callback());
  context.run();
  CHECK(delivery.count() == 0);
  manual.take()(1);
  CHECK(isError<ExecutorStopped>(delivery.outcome().error()));
  CHECK(finalizers == 1);
}

TEST_CASE("a context runs until the runs that wait in it have ended, for any kind of wait") {
  asio::io_context context;
  ThreadPool pool(1);
  Delivery<bool> sleeping;
  Delivery<bool> elsewhere;
  Delivery<bool> branching;
  Delivery<bool> coming;
  {
    AsioExecutor executor(context);
    AsioExecutor strand(asio::any_io_executor(asio::make_strand(context)));
    const auto isHere = [&context] { return context.get_executor().running_in_this_thread(); };
    const auto sleep = sleepFor(20ms);
    sleep.map(isHere).onComplete(sleeping.callback(), executor);
    on(pool, sleep).map(isHere).onComplete(elsewhere.callback(), strand);
    tuple2(parallel(on(pool, sleep)), parallel(shift(pool).flatMap([=] { return sleep; })))
        .map([=](auto) { return isHere(); })
        .onComplete(branching.callback(), executor);
    shift(strand).flatMap([=] { return sleep; }).map(isHere).onComplete(coming.callback());
  }
  context.run();
  for (auto* delivery : {&sleeping, &elsewhere, &branching, &coming}) {
    REQUIRE(delivery->count() == 1);
    CHECK(delivery->outcome().get());
  }
}

TEST_CASE("a context does not wait for a run that has shifted elsewhere permanently") {
  asio::io_context context;
  ThreadPool pool(1);
  Manual<int> manual;
  Delivery<int> delivery;
  {
    AsioExecutor executor(context);
    shift(executor)
        .flatMap([&] { return shift(pool); })
        .flatMap([&] { return manual.program(); })
        .onComplete(delivery.callback());
  }
  context.run();
  CHECK(delivery.count() == 0);
  while (manual.waiting() == 0) std::this_thread::yield();
  manual.take()(1);
  CHECK(delivery.outcome().get() == 1);
}

TEST_CASE("a context waits for a run that was started on it, also after the run has shifted elsewhere") {
  asio::io_context context;
  ThreadPool pool(1);
  Delivery<void> delivery;
  {
    AsioExecutor executor(context);
    shift(pool).flatMap([] { return sleepFor(20ms); }).onComplete(delivery.callback(), executor);
  }
  context.run();
  CHECK(delivery.count() == 1);
}

TEST_CASE("joining a thread_pool waits for the runs that wait in it") {
  asio::thread_pool pool(1);
  Delivery<void> delivery;
  {
    AsioExecutor executor(pool);
    sleepFor(20ms).onComplete(delivery.callback(), executor);
  }
  pool.join();
  CHECK(delivery.count() == 1);
}

TEST_CASE_TEMPLATE("a run that waits outlives its executor and the context, which then refuses it", E,
                   asio::io_context::executor_type, asio::strand<asio::io_context::executor_type>,
                   asio::any_io_executor) {
  testing::VirtualClock clock;
  Delivery<void> delivery;
  std::atomic<int> finalizers{0};
  {
    asio::io_context context;
    AsioExecutor executor{E(context.get_executor())};
    ensure(withClock(clock, sleepFor(1ms)), delay([&] { ++finalizers; }))
        .onComplete(delivery.callback(), executor);
    context.poll();
    CHECK(clock.waiting() == 1);
    CHECK(delivery.count() == 0);
  }
  clock.advance(1ms);
  CHECK(isError<ExecutorStopped>(delivery.outcome().error()));
  CHECK(finalizers == 1);
}

TEST_CASE("contexts are destroyed while the last runs of their executors end") {
  for (int i = 0; i < 300; ++i) {
    Delivery<void> delivery;
    {
      asio::io_context context;
      const auto strand = asio::make_strand(context);
      AsioExecutor executor(strand);
      sleepFor(std::chrono::microseconds(i)).onComplete(delivery.callback(), executor);
      context.run_for(std::chrono::microseconds(300 - i));
    }
    CHECK((delivery.outcome().hasValue() || isError<ExecutorStopped>(delivery.outcome().error())));
  }
}

TEST_CASE("a function takes an AsioExecutor that was made from any executor") {
  const auto answer = [](AsioExecutor& executor) { return execute(executor, [] { return 42; }); };
  asio::thread_pool pool(1);
  AsioExecutor executor(pool);
  AsioExecutor strand(asio::make_strand(pool));
  CHECK(answer(executor).blockingAwait() == 42);
  CHECK(answer(strand).blockingAwait() == 42);
  pool.join();
}

TEST_CASE("a context that is kept at work takes the runs that come to it") {
  IoThreads threads;
  AsioExecutor executor(threads.context);
  ThreadPool pool(1);
  Delivery<bool> delivery;
  on(pool, delay([] {})).map([&] { return executor.isHere(); }).onComplete(delivery.callback(), executor);
  CHECK(delivery.outcome().get());
}

TEST_CASE(
    "a thread_pool that was stopped or joined refuses runs, also in a strand and by an erased executor") {
  for (const bool stop : {true, false}) {
    asio::thread_pool pool(1);
    AsioExecutor executor(pool);
    AsioExecutor strand(asio::make_strand(pool.get_executor()));
    AsioExecutor erased(asio::any_io_executor(pool.get_executor()));
    CHECK(execute(executor, [] { return 1; }).blockingAwait() == 1);
    if (stop)
      pool.stop();
    else
      pool.join();
    for (Executor* each : {static_cast<Executor*>(&executor), static_cast<Executor*>(&strand),
                           static_cast<Executor*>(&erased)}) {
      int steps = 0;
      int finalizers = 0;
      Delivery<int> delivery;
      delay([&] { return ++steps; }).onComplete(delivery.callback(), *each);
      REQUIRE(delivery.count() == 1);
      CHECK(isError<ExecutorStopped>(delivery.outcome().error()));
      Delivery<void> shifted;
      ensure(shift(*each).map([&] { ++steps; }), delay([&] { ++finalizers; })).onComplete(shifted.callback());
      REQUIRE(shifted.count() == 1);
      CHECK(isError<ExecutorStopped>(shifted.outcome().error()));
      CHECK(steps == 0);
      CHECK(finalizers == 1);
    }
  }
}

TEST_CASE("runs that come and go while their thread_pool is stopped all end") {
  for (int i = 0; i < 200; ++i) {
    std::vector<Delivery<void>> deliveries(4);
    {
      asio::thread_pool pool(2);
      AsioExecutor executor(pool);
      for (auto& delivery : deliveries)
        tailRecM(0, [&](int n) {
          return shift(executor).map(
              [n] { return n == 100 ? Step<int, void>::done() : Step<int, void>::next(n + 1); });
        }).onComplete(delivery.callback(), executor);
      for (std::atomic<int> n{0}; n < i * 20;) ++n;
      pool.stop();
      pool.join();  // steps that are under way still need the executor
    }
    for (auto& delivery : deliveries) {
      REQUIRE(delivery.count() == 1);
      CHECK((delivery.outcome().hasValue() || isError<ExecutorStopped>(delivery.outcome().error())));
    }
  }
}
