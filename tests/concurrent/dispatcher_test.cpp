#include "tapestry/concurrent/dispatcher.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/callable.hpp"
#include "support/delivery.hpp"
#include "support/error_text.hpp"
#include "support/sanitizers.hpp"
#include "tapestry/concurrent/event.hpp"
#include "tapestry/concurrent/latch.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/clock.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::errorOf;
using test::outcomeText;
using testing::cancelAtEveryStep;
using testing::Scheduler;
using OnExit = SupervisorOptions::OnExit;
using Order = DispatcherOptions::Order;

namespace {

/// Writes that it has begun, ended, and released.
struct Log {
  std::string text;

  Do<int> entry(int number, int milliseconds) {
    const auto note = [this, number](char what) { text += what + std::to_string(number) + " "; };
    return resource(Do<int>::delay([=] { return note('+'), number; }), [=](int) { note('-'); })
        .flatMap([=](int) { return Do<void>::lift(sleepFor(milliseconds * 1ms)); })
        .map([=] { return note('='), number; });
  }
};

Do<void> sleepsFor(int milliseconds) { return Do<void>::lift(sleepFor(milliseconds * 1ms)); }

/// The error that the future throws, or the expected one where a sanitizer does not see how libstdc++ counts
/// the owners of an exception, of which two threads have one each.
template <class A>
std::string errorOfFuture(std::future<A> future, const char* expected) {
  future.wait();
  return test::underThreadSanitizer ? expected : errorOf([&] { future.get(); });
}

/// Adds the outcome to the text.
template <class A = int>
auto tellTo(std::string& text) {
  return
      [&text, owned = std::make_unique<int>(0)](Outcome<A> outcome) { text += outcomeText(outcome) + " "; };
}

}  // namespace

TEST_CASE("sequential: a program starts when the one before it has ended and released") {
  Scheduler scheduler;
  Log log;
  const auto program = Dispatcher::scoped().flatMap([&](const Dispatcher& dispatcher) {
    CHECK(dispatcher.post(log.entry(1, 3)));
    CHECK(dispatcher.post(log.entry(2, 1)));
    return sleepsFor(10);
  });
  CHECK(scheduler.run(program).hasValue());
  CHECK(log.text == "+1 =1 -1 +2 =2 -2 ");
}

TEST_CASE("parallel: programs go on side by side") {
  Scheduler scheduler;
  Log log;
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

TEST_CASE("a callback, which may be move-only, gets the outcome after all releases") {
  Scheduler scheduler;
  Log log;
  const auto program = Dispatcher::scoped().flatMap([&](const Dispatcher& dispatcher) {
    CHECK(dispatcher.post(log.entry(1, 1), tellTo(log.text)));
    CHECK(dispatcher.post(Do<int>::raiseError("no"), tellTo(log.text)));
    return sleepsFor(10);
  });
  CHECK(scheduler.run(program).hasValue());
  CHECK(log.text == "+1 =1 -1 value no ");
}

TEST_CASE("errors whose outcomes nobody takes fail the scope, and do not keep later programs from running") {
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

TEST_CASE("the end of the scope cancels what runs, and drops what has not begun, before its outcome comes") {
  Scheduler scheduler;
  Log log;
  const auto program = Dispatcher::scoped().flatMap([&](const Dispatcher& dispatcher) {
    CHECK(dispatcher.post(log.entry(1, 100), tellTo(log.text)));
    CHECK(dispatcher.post(log.entry(2, 100), tellTo(log.text)));
    return sleepsFor(1);
  });
  CHECK(scheduler.run(program).hasValue());
  CHECK(log.text.find("+2") == std::string::npos);
  CHECK(log.text.find("=1") == std::string::npos);
  CHECK(log.text.size() == std::string("+1 -1 cancelled cancelled ").size());
  CHECK(scheduler.clock().now().time_since_epoch() < 50ms);
}

TEST_CASE("join: all that was posted before the end of the scope goes on to its end") {
  Scheduler scheduler;
  Log log;
  const auto program =
      Dispatcher::scoped({.onExit = OnExit::join}).flatMap([&](const Dispatcher& dispatcher) {
        CHECK(dispatcher.post(log.entry(1, 5), tellTo(log.text)));
        CHECK(dispatcher.post(log.entry(2, 5)));
        return Do<void>::now();
      });
  CHECK(scheduler.run(program).hasValue());
  CHECK(log.text == "+1 =1 -1 value +2 =2 -2 ");
}

TEST_CASE("after the scope has ended nothing can be posted") {
  std::optional<Dispatcher> kept;
  Dispatcher::scoped().map([&](const Dispatcher& dispatcher) { kept = dispatcher; }).blockingAwait();
  std::string text;
  CHECK_FALSE(kept->post(Do<int>::now(1)));
  CHECK_FALSE(kept->post(Do<int>::now(1), tellTo(text)));
  CHECK(text.empty());
  CHECK(errorOf([&] { kept->toFuture(Do<int>::now(1)).get(); }) == Closed().what());
}

TEST_CASE("a request to stop the scope ends what was posted, and nothing can be posted from then on") {
  const StopSource stop;
  ThreadPool pool(1);
  std::promise<Dispatcher> opened;
  const Event never;
  test::Delivery<void> delivery;
  Dispatcher::scoped({Order::sequential, OnExit::join})
      .flatMap([&](const Dispatcher& dispatcher) {
        opened.set_value(dispatcher);
        return never.wait();
      })
      .onComplete(delivery.callback(), pool, stop.token());
  const Dispatcher dispatcher = opened.get_future().get();
  auto running = dispatcher.toFuture(never.wait());
  auto waiting = dispatcher.toFuture(Do<int>::now(1));
  stop.requestStop();
  CHECK(delivery.outcome().isCancelled());
  CHECK(errorOfFuture(std::move(running), "Cancelled") == "Cancelled");
  CHECK(errorOfFuture(std::move(waiting), "Cancelled") == "Cancelled");
  CHECK_FALSE(dispatcher.post(Do<int>::now(1)));
}

TEST_CASE("cancelled at any step, each callback of what was posted is called once, and all is released") {
  for (const Order order : {Order::sequential, Order::parallel})
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      Log log;
      int posted = 0, answered = 0;
      const auto make = [&] {
        log = {};
        posted = answered = 0;
        return Dispatcher::scoped({.order = order}).flatMap([&](const Dispatcher& dispatcher) {
          const auto post = [&, dispatcher](int number) {
            if (dispatcher.post(log.entry(number, 2), [&](const Outcome<int>&) { ++answered; })) ++posted;
          };
          post(1);
          post(2);
          return sleepsFor(3).map([post] { post(3); }).flatMap([] { return sleepsFor(2); });
        });
      };
      const auto check = [&](const Outcome<void>&, std::size_t) {
        CHECK(posted == answered);
        for (char number = '1'; number <= '3'; ++number)
          CHECK((log.text.find({'+', number}) == std::string::npos) ==
                (log.text.find({'-', number}) == std::string::npos));
      };
      CHECK(cancelAtEveryStep(make, check, seed) > 5);
    }
}

TEST_CASE("whatever the order of steps, programs that are posted beside the end are run or refused") {
  for (int round = 0; round < 200; ++round) {
    ThreadPool pool(2);
    std::atomic<int> posted = 0, answered = 0;
    std::jthread posting;
    test::Delivery<void> delivery;
    Dispatcher::scoped({Order::parallel, round % 2 ? OnExit::join : OnExit::cancel})
        .flatMap([&](const Dispatcher& dispatcher) {
          const Latch some(10);
          posting = std::jthread([&, some, dispatcher] {
            const auto count = [&, some](const Outcome<int>&) {
              ++answered;
              some.countDown();
            };
            while (dispatcher.post(Do<int>::now(1), count)) ++posted;
          });
          return some.wait();
        })
        .onComplete(delivery.callback(), pool);
    CHECK(delivery.outcome().hasValue());
    posting.join();
    CHECK(posted == answered);
  }
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
