#include "tapestry/concurrent/dispatcher.hpp"

#include <doctest/doctest.h>

#include <future>
#include <memory>
#include <string>
#include <vector>

#include "support/callable.hpp"
#include "support/programs/postings.hpp"
#include "support/programs/runs.hpp"
#include "support/sanitizers.hpp"
#include "support/threads/executors.hpp"
#include "tapestry/concurrent/event.hpp"
#include "tapestry/concurrent/latch.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::errorOfFuture;
using test::outcomeText;
using test::PostingLog;
using test::sleepsFor;
using test::tellTo;
using testing::Scheduler;
using OnExit = SupervisorOptions::OnExit;
using Order = DispatcherOptions::Order;

TEST_CASE("sequential: a program starts when the previous program has ended and released its resources") {
  Scheduler scheduler;
  PostingLog log;
  const auto program = Dispatcher::scoped().flatMap([&](const Dispatcher& dispatcher) {
    CHECK(dispatcher.post(log.entry(1, 3)));
    CHECK(dispatcher.post(log.entry(2, 1)));
    return sleepsFor(10);
  });
  CHECK(scheduler.run(program).hasValue());
  CHECK(log.text == "+1 =1 -1 +2 =2 -2 ");
}

TEST_CASE("parallel: programs run at the same time") {
  Scheduler scheduler;
  PostingLog log;
  const auto program =
      Dispatcher::scoped({.order = Order::parallel}).flatMap([&](const Dispatcher& dispatcher) {
        CHECK(dispatcher.post(log.entry(1, 3)));
        return sleepsFor(1).flatMap([&log, dispatcher] {
          CHECK(dispatcher.post(log.entry(2, 1)));
          return sleepsFor(10);
        });
      });
  CHECK(scheduler.run(program).hasValue());
  CHECK(log.text == "+1 +2 =2 -2 =1 -1 ");
}

TEST_CASE("parallel: programs start in the order of the posts") {
  std::vector<int> started;
  const auto program =
      Dispatcher::scoped({Order::parallel, OnExit::join}).flatMap([&](const Dispatcher& dispatcher) {
        for (int i = 0; i < 100; ++i)
          CHECK(dispatcher.post(Do<void>::delay([&, i] { started.push_back(i); })));
        return Do<void>::now();
      });
  program.blockingAwait();
  REQUIRE(started.size() == 100);
  for (int i = 0; i < 100; ++i) CHECK(started[static_cast<std::size_t>(i)] == i);
}

TEST_CASE(
    "programs of several threads run one at a time, on the run's executor, in the order of each thread") {
  constexpr int threads = 3, each = 2000;
  ThreadPool pool(2);
  std::vector<int> next(threads, 0);  // no lock: programs exclude each other
  int disorder = 0, elsewhere = 0;
  const auto program =
      Dispatcher::scoped({.onExit = OnExit::join}).flatMap([&](const Dispatcher& dispatcher) {
        std::vector<std::jthread> posting;
        for (std::size_t t = 0; t < threads; ++t)
          posting.emplace_back([&, t] {
            for (int i = 0; i < each; ++i)
              CHECK(dispatcher.post(Do<void>::delay([&, t, i] {
                if (next[t]++ != i) ++disorder;
                if (!pool.isHere()) ++elsewhere;
              })));
          });
        return Do<void>::now();
      });
  test::Delivery<void> delivery;
  program.onComplete(delivery.callback(), pool);
  CHECK(delivery.outcome().hasValue());
  CHECK(next == std::vector<int>(threads, each));
  CHECK(disorder == 0);
  CHECK(elsewhere == 0);
}

TEST_CASE("a thread that waits for a future gets the value, the error, or Cancelled") {
  ThreadPool pool(1);
  std::string got;
  const auto program = Dispatcher::scoped().flatMap([&](const Dispatcher& dispatcher) {
    return Do<void>::lift(blocking([&got, dispatcher] {
      got += std::to_string(dispatcher.toFuture(Do<int>::now(42)).get());
      dispatcher.toFuture(Do<void>::now()).get();
      got += errorOfFuture(dispatcher.toFuture(Do<int>::raiseError("no")), "no");
      const auto cancels = Do<int>::delay([]() -> int { throw Cancelled(); });
      got += errorOfFuture(dispatcher.toFuture(cancels), "Cancelled");
      const auto moveOnly = Do<std::unique_ptr<char>>::delay([] { return std::make_unique<char>('!'); });
      got += *dispatcher.toFuture(moveOnly).get();
    }));
  });
  program.blockingAwait(pool);
  CHECK(got == "42noCancelled!");
}

TEST_CASE("what is posted to a dispatcher whose executor has stopped is cancelled by the end of the scope") {
  test::QueueExecutor executor;
  std::future<int> future;
  test::Delivery<void> delivery;
  const auto program = Do<void>::delay([&] { executor.stop(); }).flatMap([&] {
    return Dispatcher::scoped()
        .map([&](const Dispatcher& dispatcher) { future = dispatcher.toFuture(Do<int>::now(1)); })
        .run();
  });
  program.onComplete(delivery.callback(), executor);
  executor.work();
  REQUIRE(delivery.count() == 1);
  REQUIRE(future.valid());
  CHECK(future.wait_for(0s) == std::future_status::ready);
}

TEST_CASE("a callback, which may be move-only, gets the outcome after all releases") {
  Scheduler scheduler;
  PostingLog log;
  const auto program = Dispatcher::scoped().flatMap([&](const Dispatcher& dispatcher) {
    CHECK(dispatcher.post(log.entry(1, 1), tellTo(log.text)));
    CHECK(dispatcher.post(Do<int>::raiseError("no"), tellTo(log.text)));
    return sleepsFor(10);
  });
  CHECK(scheduler.run(program).hasValue());
  CHECK(log.text == "+1 =1 -1 value no ");
}

TEST_CASE("errors that no callback receives fail the scope, and do not keep later programs from running") {
  Scheduler scheduler;
  bool ran = false;
  const auto program = Dispatcher::scoped().flatMap([&](const Dispatcher& dispatcher) {
    CHECK(dispatcher.post(Do<int>::raiseError("first")));
    CHECK(dispatcher.post(Do<int>::raiseError("second")));
    CHECK(dispatcher.post(Do<void>::delay([&] { ran = true; })));
    return sleepsFor(1);
  });
  CHECK(outcomeText(scheduler.run(program)) == "[first, second]");
  CHECK(ran);
}

TEST_CASE("onError gets the errors that no callback gets, and the scope does not fail") {
  std::vector<std::string> errors;
  const auto report = [&errors](const std::exception_ptr& error) {
    errors.push_back(errorAs<std::exception>(error)->what());
  };
  const auto program = Dispatcher::scoped({.onExit = OnExit::join, .onError = report})
                           .map([](const Dispatcher& dispatcher) {
                             CHECK(dispatcher.post(Do<int>::raiseError("first")));
                             CHECK(dispatcher.post(Do<int>::now(1)));
                             CHECK(dispatcher.post(Do<void>::raiseError("second")));
                           })
                           .run();
  CHECK(Scheduler().run(program).hasValue());
  CHECK(errors == std::vector<std::string>{"first", "second"});
}

TEST_CASE("onError gets the error of a release of a program that throws Cancelled, or is cancelled") {
  int errors = 0;
  const auto report = [&errors](const std::exception_ptr& error) {
    errors += test::errorText(error) == "release";
  };
  const auto held = resource(Do<void>::now(), [] { throw std::runtime_error("release"); });
  const auto program = Dispatcher::scoped({.order = Order::parallel, .onError = report})
                           .flatMap([held](const Dispatcher& dispatcher) {
                             CHECK(dispatcher.post(held.map([]() -> int { throw Cancelled(); })));
                             CHECK(dispatcher.post(held.flatMap([] { return sleepsFor(100); })));
                             return sleepsFor(1);
                           })
                           .run();
  CHECK(Scheduler().run(program).hasValue());
  CHECK(errors == 2);
}

TEST_CASE("a callback is not moved when its program starts, which could fail") {
  struct FailsToMove {
    FailsToMove(const bool& isMovable, bool& isCalled) : movable(&isMovable), called(&isCalled) {}
    FailsToMove(const FailsToMove& other) : movable(other.movable), called(other.called) {
      if (!*movable) throw std::runtime_error("moved");
    }
    FailsToMove& operator=(const FailsToMove&) = delete;
    ~FailsToMove() = default;
    void operator()(const Outcome<int>&) const { *called = true; }
    const bool* movable;
    bool* called;
  };
  bool movable = true, called = false;
  const auto program = Dispatcher::scoped().flatMap([&](const Dispatcher& dispatcher) {
    CHECK(dispatcher.post(Do<int>::now(1), FailsToMove(movable, called)));
    movable = false;
    return sleepsFor(1);
  });
  CHECK(Scheduler().run(program).hasValue());
  CHECK(called);
}

TEST_CASE("a million programs that were posted at once need no stack") {
  constexpr int n = test::million;
  int ran = 0;
  Dispatcher::scoped({.onExit = OnExit::join})
      .map([&](const Dispatcher& dispatcher) {
        for (int i = 0; i < n; ++i)
          if (!dispatcher.post(Do<void>::delay([&] { ++ran; }))) return;
      })
      .blockingAwait();
  CHECK(ran == n);
}

TEST_CASE("wrong calls of post and toFuture are refused") {
  static_assert(!TAPESTRY_MEMBER_CALLABLE(post, const Dispatcher&, int));
  static_assert(!TAPESTRY_MEMBER_CALLABLE(post, const Dispatcher&, Do<int>, void (*)(int)));
  static_assert(TAPESTRY_MEMBER_CALLABLE(post, const Dispatcher&, Do<int>));
  static_assert(TAPESTRY_MEMBER_CALLABLE(post, const Dispatcher&, Do<int>, void (*)(Outcome<int>)));
  static_assert(!TAPESTRY_MEMBER_CALLABLE(toFuture, const Dispatcher&, int));
  static_assert(TAPESTRY_MEMBER_CALLABLE(toFuture, const Dispatcher&, Do<int>));
}
