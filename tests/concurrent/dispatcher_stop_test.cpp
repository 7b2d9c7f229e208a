#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <future>
#include <optional>
#include <string>
#include <utility>

#include "support/programs/postings.hpp"
#include "support/programs/runs.hpp"
#include "support/sanitizers.hpp"
#include "tapestry/concurrent/closed.hpp"
#include "tapestry/concurrent/dispatcher.hpp"
#include "tapestry/concurrent/event.hpp"
#include "tapestry/concurrent/latch.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::errorOf;
using test::errorOfFuture;
using test::PostingLog;
using test::sleepsFor;
using test::tellTo;
using testing::cancelAtEveryStep;
using testing::Scheduler;
using OnExit = SupervisorOptions::OnExit;
using Order = DispatcherOptions::Order;

TEST_CASE("the end of the scope cancels what runs, and drops what has not begun, before its outcome comes") {
  Scheduler scheduler;
  PostingLog log;
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

TEST_CASE("join: all programs that were posted before the end of the scope run to their ends") {
  Scheduler scheduler;
  PostingLog log;
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

TEST_CASE("a request to stop the scope stops the posted programs, and later posts are refused") {
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

TEST_CASE("cancelled at any step, each callback of a posted program is called once, and all is released") {
  for (const Order order : {Order::sequential, Order::parallel})
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      PostingLog log;
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

TEST_CASE("in any order of steps, programs that are posted beside the end are run or refused") {
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
