#include "tapestry/raii/future.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

#include "support/callable.hpp"
#include "support/programs/runs.hpp"
#include "support/system/child_process.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/raii/scoped.hpp"

using namespace tapestry;
using test::Delivery;
using test::errorOf;
using test::Manual;
using test::MoveOnly;
using test::outcomeText;

static_assert(TAPESTRY_CALLABLE(tapestry::fromFuture, std::future<int>));
static_assert(!TAPESTRY_CALLABLE(tapestry::fromFuture, std::future<int>&));
static_assert(!TAPESTRY_CALLABLE(tapestry::fromFuture, std::future<MoveOnly>));
static_assert(TAPESTRY_CALLABLE(tapestry::toFuture, Do<int>));
static_assert(!TAPESTRY_CALLABLE(tapestry::toFuture, int));

TEST_CASE("a future has the value of a program after its releases") {
  std::string log;
  const auto program = resource(Do<int>::now(3), [&](int) { return delay([&] { log += "released"; }); });
  CHECK(toFuture(program).get() == 3);
  CHECK(log == "released");
  CHECK(toFuture(now(4)).get() == 4);
  CHECK_NOTHROW(toFuture(Do<void>::now()).get());
  CHECK(toFuture(delay([] { return MoveOnly(5); })).get().value() == 5);
}

TEST_CASE("a future throws the error of a program, or Cancelled") {
  CHECK(errorOf([] { return toFuture(Do<int>::raiseError("broken")).get(); }) == "broken");
  Manual<int> manual;
  StopSource source;
  auto future = toFuture(manual.program(), source.token());
  CHECK(future.wait_for(std::chrono::seconds(0)) == std::future_status::timeout);
  source.requestStop();
  CHECK_THROWS_AS(future.get(), Cancelled);
}

TEST_CASE("a program of a future works on the executor that it is given") {
  ThreadPool pool(1);
  CHECK(toFuture(delay([&] { return pool.isHere(); }), pool).get());
}

TEST_CASE("a future that is ready gives its value in every run, without another thread") {
  std::promise<int> promise;
  promise.set_value(7);
  const auto program = fromFuture(promise.get_future());
  Delivery<int> delivery;
  program.onComplete(delivery.callback());
  CHECK(delivery.count() == 1);
  CHECK(delivery.thread() == std::this_thread::get_id());
  CHECK(program.blockingAwait() == 7);
}

TEST_CASE("a program waits for a future without blocking its thread") {
  ThreadPool pool(1);
  std::promise<int> promise;
  Delivery<bool> delivery;
  fromFuture(promise.get_future())
      .map([&](int value) { return value == 7 && pool.isHere(); })
      .onComplete(delivery.callback(), pool);
  Delivery<void> beside;
  delay([] {}).onComplete(beside.callback(), pool);
  beside.outcome();  // else this hangs
  CHECK(delivery.count() == 0);
  promise.set_value(7);
  CHECK(delivery.outcome().get());
}

TEST_CASE("the exception of a future is the error, also that of a broken promise") {
  std::promise<void> promise;
  promise.set_exception(std::make_exception_ptr(std::runtime_error("lost")));
  const auto failing = fromFuture(promise.get_future());
  CHECK(errorOf([&] {
          failing.blockingAwait();
          return 0;
        }) == "lost");
  auto broken = std::promise<int>().get_future();
  CHECK_THROWS_AS(fromFuture(std::move(broken)).blockingAwait(), std::future_error);
}

TEST_CASE("a deferred future is executed on a thread for blocking calls") {
  const auto here = std::this_thread::get_id();
  const auto program =
      fromFuture(std::async(std::launch::deferred, [here] { return std::this_thread::get_id() != here; }));
  CHECK(program.blockingAwait());
}

TEST_CASE("a program whose future is not ready fails where the system gives no thread") {
  const auto ending = test::inChild([] {
    if (!test::limitThreads(1)) return;
    std::promise<std::string> promise;
    fromFuture(promise.get_future()).onComplete([](const Outcome<std::string>& outcome) {
      std::fputs(outcomeText(outcome).c_str(), stderr);
    });
  });
  CHECK(ending.status == 0);
  CHECK(ending.text == "tapestry::Executor: the executor was stopped and refuses work");
}

TEST_CASE("a request to stop ends the wait at once") {
  std::promise<int> promise;
  StopSource source;
  Delivery<int> delivery;
  fromFuture(promise.get_future()).onComplete(delivery.callback(), source.token());
  CHECK(delivery.count() == 0);
  source.requestStop();
  CHECK(delivery.count() == 1);
  CHECK(outcomeText(delivery.outcome()) == "cancelled");
  promise.set_value(1);  // the thread that waits in the run's place ends
}

TEST_CASE("a future without a state is refused") {
  CHECK(errorOf([] { return fromFuture(std::shared_future<int>()); }) ==
        "tapestry::fromFuture: got a future without a state, expected a valid one");
}
