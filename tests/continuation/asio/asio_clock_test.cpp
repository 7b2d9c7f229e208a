#include "tapestry/continuation/asio/asio_clock.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/programs/delivery.hpp"
#include "support/threads/within.hpp"
#include "tapestry/continuation/asio/asio_executor.hpp"
#include "tapestry/continuation/parallel/timeout.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"
#include "tapestry/continuation/sleep_for.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::Delivery;
namespace asio = boost::asio;

TEST_CASE("timers of a context of Asio expire in order, on its thread, and are its work") {
  asio::io_context context;
  AsioClock clock(context);
  std::vector<int> order;
  std::thread::id where;
  const auto begun = std::chrono::steady_clock::now();
  const auto at = [&](std::chrono::milliseconds time, int number) {
    return withClock(clock, sleepUntil(begun + time)).map([&, number] {
      order.push_back(number);
      where = std::this_thread::get_id();
    });
  };
  Delivery<void> late, early, middle;
  at(6ms, 3).onComplete(late.callback());
  at(2ms, 1).onComplete(early.callback());
  at(4ms, 2).onComplete(middle.callback());
  context.run();
  CHECK(std::chrono::steady_clock::now() - begun >= 6ms);
  CHECK(order == std::vector{1, 2, 3});
  CHECK(where == std::this_thread::get_id());
  CHECK(clock.now() >= begun + 6ms);
}

TEST_CASE("a cancelled timer of a context of Asio holds it up no more") {
  asio::io_context context;
  AsioClock clock(context);
  AsioExecutor executor(context);
  Delivery<std::optional<Unit>> delivery;
  const auto begun = std::chrono::steady_clock::now();
  withClock(clock, timeout(sleepFor(1ms), 1min)).onComplete(delivery.callback(), executor);
  context.run();
  CHECK(delivery.outcome().get().has_value());
  CHECK(std::chrono::steady_clock::now() - begun < 30s);
}

TEST_CASE("blockingAwait is an error in a run that a timer of a context of Asio has resumed on its thread") {
  asio::io_context context;
  AsioClock clock(context);
  std::string complaint;
  withClock(clock, sleepFor(1ms))
      .map([&] {
        try {
          now(1).blockingAwait();
        } catch (const std::logic_error& error) {
          complaint = error.what();
        }
      })
      .onComplete([](const auto&) {});
  context.run();
  CHECK(complaint ==
        "tapestry::blockingAwait: called on a thread that other runs need, expected another thread "
        "(use flatMap, or blocking)");
  CHECK(now(1).blockingAwait() == 1);
}

TEST_CASE("a step that polls a context of Asio sees the end of a run that sleeps on the context's clock") {
  asio::io_context context;
  AsioClock clock(context);
  Delivery<void> sleeping;
  withClock(clock, sleepFor(1ms)).onComplete(sleeping.callback());
  const auto polling = delay([&] {
    return test::within(10s, [&] {
      context.poll();
      return sleeping.count() == 1;
    });
  });
  CHECK(polling.blockingAwait());
}

TEST_CASE("runs on several threads sleep and are cancelled by one clock of Asio") {
  asio::io_context context;
  const auto work = asio::make_work_guard(context);
  AsioClock clock(context);
  AsioExecutor executor(context);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([&] { context.run(); });
  constexpr int runs = 300;
  std::atomic<int> ended = 0, slept = 0;
  for (int i = 0; i < runs; ++i) {
    const auto sleeping = sleepFor(std::chrono::microseconds(37 * i % 2000));
    withClock(clock, timeout(sleeping, std::chrono::microseconds(53 * i % 2000)))
        .onComplete(
            [&](const Outcome<std::optional<Unit>>& outcome) {
              slept += outcome.get().has_value();
              ++ended;
            },
            executor);
  }
  while (ended < runs) std::this_thread::sleep_for(1ms);
  CHECK(slept > 0);
  CHECK(slept < runs);
  context.stop();
  threads.clear();
}
