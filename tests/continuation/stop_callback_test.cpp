#include "tapestry/continuation/stop_callback.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "support/programs/delivery.hpp"
#include "support/threads/within.hpp"
#include "tapestry/continuation/blocking.hpp"
#include "tapestry/continuation/parallel/race.hpp"
#include "tapestry/continuation/sleep_for.hpp"

using namespace tapestry;
using test::Delivery;

TEST_CASE("the function is called once, on the thread that asks to stop") {
  const StopSource source;
  int calls = 0;
  const StopCallback callback(source.token(), [&] { ++calls; });
  CHECK(calls == 0);
  source.requestStop();
  CHECK(calls == 1);
  source.requestStop();
  CHECK(calls == 1);
}

TEST_CASE("where it was asked before, the function is called at once") {
  const StopSource source;
  source.requestStop();
  int calls = 0;
  const StopCallback callback(source.token(), [&] { ++calls; });
  CHECK(calls == 1);
}

TEST_CASE("a destroyed callback is not called, nor is a callback of a token that never stops") {
  const StopSource source;
  int calls = 0;
  {
    const StopCallback callback(source.token(), [&] { ++calls; });
  }
  const StopCallback never(StopToken(), [&] { ++calls; });
  source.requestStop();
  CHECK(calls == 0);
}

TEST_CASE("a function may end its own callback") {
  const StopSource source;
  std::optional<StopCallback<std::function<void()>>> callback;
  int calls = 0;
  callback.emplace(source.token(), [&] {
    ++calls;
    callback.reset();
  });
  source.requestStop();
  CHECK(calls == 1);
  CHECK_FALSE(callback);
}

TEST_CASE("the end of a callback waits for the call that another thread is in") {
  for (int round = 0; round < 300; ++round) {
    const StopSource source;
    std::atomic<int> inside{0};
    std::thread asks([&] { source.requestStop(); });
    {
      const StopCallback callback(source.token(), [&] {
        ++inside;
        std::this_thread::yield();
        --inside;
      });
      if (round % 2) std::this_thread::yield();
    }
    CHECK(inside == 0);
    asks.join();
  }
}

TEST_CASE("it wakes a function that waits outside of the library") {
  const StopSource source;
  std::mutex mutex;
  std::condition_variable changed;
  bool stopped = false;
  std::atomic<bool> began{false};
  const auto program = blocking([&](const StopToken& stop) {
    began = true;
    const StopCallback callback(stop, [&] {
      const std::lock_guard lock(mutex);
      stopped = true;
      changed.notify_one();
    });
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return stopped; });
  });
  Delivery<void> delivery;
  program.onComplete(delivery.callback(), source.token());
  REQUIRE(test::within(std::chrono::seconds(10), [&] { return began.load(); }));
  source.requestStop();
  delivery.outcome();
  CHECK(stopped);
}

TEST_CASE("a callback may wait for a run that asks others of its own to stop") {
  const StopSource source;
  int winner = 0;
  const StopCallback callback(source.token(), [&] {
    const auto first = race(now(5), sleepFor(std::chrono::hours(1))).blockingAwait();
    winner = std::get<0>(first);
  });
  source.requestStop();
  CHECK(winner == 5);
}
