#include "tapestry/continuation/sleep_for.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/programs/delivery.hpp"
#include "support/threads/executors.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/parallel/timeout.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"
#include "tapestry/continuation/shift.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/testing/virtual_clock.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::Delivery;
using testing::VirtualClock;

namespace {

/// Counts the timers that are started.
class CountingClock final : public Clock {
 public:
  TimePoint now() const noexcept override { return {}; }
  void start(detail::Timer&, TimePoint) noexcept override { ++started; }
  bool cancel(detail::Timer&) noexcept override { return true; }

  int started = 0;
};

}  // namespace

TEST_CASE("a run sleeps until its clock has come so far") {
  VirtualClock clock;
  Delivery<int> delivery;
  withClock(clock, sleepFor(10ms).map([] { return 1; })).onComplete(delivery.callback());
  CHECK(clock.waiting() == 1);
  clock.advance(9ms);
  CHECK(delivery.count() == 0);
  clock.advance(1ms);
  CHECK(delivery.outcome().get() == 1);
  CHECK(clock.waiting() == 0);
}

TEST_CASE("sleeps follow each other, and each sees its own time") {
  VirtualClock clock;
  std::vector<Clock::Duration> times;
  const auto note = [&] { times.push_back(clock.now().time_since_epoch()); };
  const auto program = sleepFor(2ms).map(note).flatMap(
      [&] { return tuple2(parallel(sleepFor(3ms).map(note)), parallel(sleepFor(1ms).map(note))); });
  Delivery<std::tuple<Unit, Unit>> delivery;
  withClock(clock, program).onComplete(delivery.callback());
  clock.advance(1h);
  CHECK(delivery.outcome().hasValue());
  CHECK(times == std::vector<Clock::Duration>{2ms, 3ms, 5ms});
}

TEST_CASE("sleepUntil waits for a time, and not for a time that has passed") {
  VirtualClock clock;
  clock.advance(5ms);
  Delivery<void> late;
  Delivery<void> past;
  withClock(clock, sleepUntil(Clock::TimePoint(7ms))).onComplete(late.callback());
  withClock(clock, sleepUntil(Clock::TimePoint(3ms))).onComplete(past.callback());
  clock.advance(0ms);
  CHECK(past.outcome().hasValue());
  CHECK(late.count() == 0);
  CHECK(clock.advanceToNext());
  CHECK(late.outcome().hasValue());
  CHECK_FALSE(clock.advanceToNext());
}

TEST_CASE("a request to stop ends a sleep at once, and takes its timer away") {
  VirtualClock clock;
  const StopSource source;
  Delivery<void> delivery;
  bool wentOn = false;
  const auto program = withClock(clock, sleepFor(10ms).map([&] { wentOn = true; }));
  SUBCASE("while it waits") {
    program.onComplete(delivery.callback(), source.token());
    CHECK(clock.waiting() == 1);
    source.requestStop();
  }
  SUBCASE("before it waits") {
    source.requestStop();
    program.onComplete(delivery.callback(), source.token());
  }
  CHECK(delivery.outcome().isCancelled());
  CHECK(clock.waiting() == 0);
  clock.advance(1h);
  CHECK_FALSE(wentOn);
  CHECK(delivery.count() == 1);
}

TEST_CASE("a sleep that is longer than the clock can count does not end, nor does its timeout") {
  VirtualClock virtualClock;
  const auto endless = [&](const auto& program) {
    const StopSource source;
    Delivery<std::optional<Unit>> delivery;
    withClock(virtualClock, program).onComplete(delivery.callback(), Executor::inlined(), source.token());
    virtualClock.advance(24h);
    CHECK(delivery.count() == 0);
    source.requestStop();
    CHECK(delivery.outcome().isCancelled());
  };
  const auto asOptional = [] { return std::optional<Unit>(Unit{}); };
  endless(sleepFor(std::chrono::years(300)).map(asOptional));
  endless(sleepFor(std::chrono::hours::max()).map(asOptional));
  endless(timeout(sleepFor(48h), std::chrono::years(300)));
  endless(timeout(sleepFor(48h), std::chrono::hours::max()));
  CHECK(detail::Ticks(-std::chrono::hours::max()).count == Clock::Duration::min());
  CHECK(detail::Ticks(std::chrono::duration<double>(0.25)).count == 250ms);
  // the last float before the limit
  CHECK(detail::Ticks(std::chrono::duration<float>(9223371776.f)).count == std::chrono::seconds(9223371776));
}

TEST_CASE("a duration that is not a number is refused by each function that takes a duration") {
  const std::chrono::duration<double> nan(std::numeric_limits<double>::quiet_NaN());
  const std::chrono::duration<float, std::milli> small(std::numeric_limits<float>::quiet_NaN());
  const char* const message = "tapestry::Clock: got a duration that is not a number, expected a number";
  CHECK_THROWS_WITH_AS(static_cast<void>(sleepFor(nan)), message, std::invalid_argument);
  CHECK_THROWS_WITH_AS(static_cast<void>(timeout(now(1), small)), message, std::invalid_argument);
  CHECK(detail::Ticks(std::chrono::duration<double>(std::numeric_limits<double>::infinity())).count ==
        Clock::Duration::max());
}

TEST_CASE("a sleep as long as durations get does not end, until it is stopped") {
  VirtualClock virtualClock;
  virtualClock.advance(24h);
  for (Clock* clock : {static_cast<Clock*>(&virtualClock), &Clock::system()}) {
    const StopSource source;
    Delivery<void> delivery;
    withClock(*clock, sleepFor(Clock::Duration::max()))
        .onComplete(delivery.callback(), Executor::inlined(), source.token());
    virtualClock.advance(24h);
    sleepFor(5ms).blockingAwait();
    CHECK(delivery.count() == 0);
    source.requestStop();
    CHECK(delivery.outcome().isCancelled());
  }
}

TEST_CASE("by the system's clock a sleep takes the given time, and the run continues on its executor") {
  ThreadPool pool(1);
  const auto start = std::chrono::steady_clock::now();
  sleepFor(20ms).blockingAwait();
  CHECK(std::chrono::steady_clock::now() - start >= 20ms);
  const auto thread = execute(pool, [] { return std::this_thread::get_id(); });
  const auto same = thread.flatMap([](std::thread::id before) {
    return sleepFor(1ms).map([before] { return before == std::this_thread::get_id(); });
  });
  CHECK(same.blockingAwait());
}

TEST_CASE("sleeps that are stopped from another thread while they expire end exactly once") {
  ThreadPool pool(1);
  std::atomic<int> ended{0};
  for (int round = 0; round < 1000; ++round) {
    const StopSource source;
    Delivery<void> delivery;
    sleepFor(std::chrono::microseconds(round % 100)).onComplete(delivery.callback(), pool, source.token());
    for (int i = 0; i < round % 50; ++i) std::this_thread::yield();
    source.requestStop();
    const auto& outcome = delivery.outcome();
    REQUIRE((outcome.hasValue() || outcome.isCancelled()));
    ended += delivery.count();
  }
  CHECK(ended == 1000);
}

TEST_CASE("a run that was asked to stop before it sleeps starts no timer") {
  CountingClock clock;
  const StopSource source;
  source.requestStop();
  Delivery<void> slept, sleptUntil;
  withClock(clock, sleepFor(0ms)).onComplete(slept.callback(), source.token());
  withClock(clock, sleepUntil(Clock::TimePoint(1ms))).onComplete(sleptUntil.callback(), source.token());
  CHECK(slept.outcome().isCancelled());
  CHECK(sleptUntil.outcome().isCancelled());
  CHECK(clock.started == 0);
}
