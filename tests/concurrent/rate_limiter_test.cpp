#include "tapestry/concurrent/rate_limiter.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "support/programs/in_sequence.hpp"
#include "support/programs/runs.hpp"
#include "support/sanitizers.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/par_for_each.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::Delivery;
using test::errorOf;
using test::outcomeText;
using testing::Scheduler;

namespace {

/// Runs on one virtual clock, and the times at which they passed.
struct Passing {
  explicit Passing(const RateLimit& limit) : limiter(limit) {}

  void come(char name, const StopToken& stop = {}) {
    withClock(clock, limiter.acquire())
        .map([this, name] { log += name + std::to_string(clock.now().time_since_epoch() / 1ms) + " "; })
        .onComplete([](Outcome<void>) {}, stop);
  }
  bool tryNow() { return withClock(clock, limiter.tryAcquire()).blockingAwait(); }
  std::string takeLog() { return std::exchange(log, ""); }

  testing::VirtualClock clock;
  RateLimiter limiter;
  std::string log;
};

}  // namespace

TEST_CASE("a burst passes at once, and then runs pass evenly in the order of arrival") {
  Passing runs({.permits = 10, .per = 1s, .burst = 3});
  for (const char name : {'a', 'b', 'c', 'd', 'e', 'f'}) runs.come(name);
  CHECK(runs.takeLog() == "a0 b0 c0 ");
  runs.clock.advance(99ms);
  CHECK(runs.takeLog() == "");
  runs.clock.advance(1ms);
  CHECK(runs.takeLog() == "d100 ");
  runs.clock.advance(1s);
  CHECK(runs.takeLog() == "e200 f300 ");
}

TEST_CASE("after a pause the burst is there again, and no more") {
  Passing runs({.permits = 10, .per = 1s, .burst = 2});
  for (const char name : {'a', 'b'}) runs.come(name);
  runs.clock.advance(1h);
  for (const char name : {'c', 'd', 'e'}) runs.come(name);
  CHECK(runs.takeLog() == "a0 b0 c3600000 d3600000 ");
  runs.clock.advance(100ms);
  CHECK(runs.takeLog() == "e3600100 ");
}

TEST_CASE("a rate that does not divide the duration loses nothing by rounding") {
  Scheduler scheduler;
  const RateLimiter limiter({.permits = 3, .per = 1s, .burst = 1});
  const auto program = parForEach(std::vector<int>(3'001), 10, [=](int) { return limiter.acquire(); });
  CHECK(outcomeText(scheduler.run(program)) == "value");
  const auto took = scheduler.clock().now().time_since_epoch();
  CHECK(took >= 1000s);
  CHECK(took <= 1000s + 1us);
}

TEST_CASE("a cancelled wait gives its turn back, also that of the run that is next") {
  Passing runs({.permits = 1, .per = 1s, .burst = 1});
  const StopSource first, second;
  runs.come('a');
  runs.come('b', first.token());
  runs.come('c', second.token());
  runs.come('d');
  runs.come('e');
  runs.clock.advance(500ms);
  first.requestStop();
  second.requestStop();
  CHECK(runs.takeLog() == "a0 ");
  runs.clock.advance(500ms);
  CHECK(runs.takeLog() == "d1000 ");
  runs.clock.advance(1s);
  CHECK(runs.takeLog() == "e2000 ");
}

TEST_CASE("a try takes a permit that is there, and does not overtake runs that wait") {
  Passing runs({.permits = 1, .per = 1s, .burst = 2});
  CHECK(runs.tryNow());
  CHECK(runs.tryNow());
  CHECK_FALSE(runs.tryNow());
  runs.come('a');
  CHECK_FALSE(runs.tryNow());
  runs.clock.advance(1s);
  CHECK(runs.takeLog() == "a1000 ");
  runs.clock.advance(1s);
  CHECK(runs.tryNow());
}

TEST_CASE("tries of several threads get all permits that are there") {
  const RateLimiter limiter({.permits = 1, .per = 1h, .burst = 2'000});
  std::atomic<int> refused = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 2; ++i)
      threads.emplace_back([&] {
        for (int j = 0; j < 1'000; ++j)
          if (!limiter.tryAcquire().blockingAwait()) ++refused;
      });
  }
  CHECK(refused == 0);
  CHECK_FALSE(limiter.tryAcquire().blockingAwait());
}

TEST_CASE("a try gets a permit that a cancelled wait has left") {
  Passing runs({.permits = 1, .per = 1s, .burst = 1});
  StopSource stop;
  CHECK(runs.tryNow());
  runs.come('a', stop.token());
  runs.clock.advance(500ms);
  CHECK_FALSE(runs.tryNow());
  stop.requestStop();
  runs.clock.advance(500ms);
  CHECK(runs.tryNow());
}

TEST_CASE("limits that let nothing pass, or that cannot be counted, are refused") {
  const auto refused = [](RateLimit limit) { return errorOf([&] { return RateLimiter(limit); }); };
  CHECK(refused({.permits = 0}) == "tapestry::RateLimiter: the number of permits is 0, expected at least 1");
  CHECK(refused({.per = 0s}) ==
        "tapestry::RateLimiter: the permits come in no time, got 0, expected a duration of 1 tick or more");
  CHECK(refused({.burst = -1}) == "tapestry::RateLimiter: the burst is -1, expected at least 1");
  CHECK(refused({.per = 1h, .burst = std::numeric_limits<std::ptrdiff_t>::max()})
            .starts_with("tapestry::RateLimiter: the burst is too large for the duration, got "
                         "9223372036854775807, expected at"));
}

TEST_CASE("a request to stop at any step leaves the limiter usable") {
  std::size_t cancelled = 0;
  const auto runs = testing::cancelAtEveryStep(
      [] {
        const RateLimiter limiter({.permits = 1, .per = 1s, .burst = 1});
        const auto two = tuple2(parallel(limiter.acquire()), parallel(limiter.acquire()));
        // after a second, whatever has become of the two, the next can pass, at the latest one second later
        return ensure(two, Do<void>::lift(sleepFor(1s)).flatMap([=] { return limiter.acquire(); }));
      },
      [&](const auto& outcome, std::size_t) {
        CHECK(!outcome.hasError());
        cancelled += outcome.isCancelled();
      });
  CHECK(runs > 5);
  CHECK(cancelled > 4);
}

TEST_CASE("runs of several threads pass as often as there are permits") {
  ThreadPool pool(4);
  const RateLimiter limiter({.permits = 1, .per = 1h, .burst = 1'000});
  std::atomic<int> passed = 0;
  const auto attempt = limiter.tryAcquire().map([&](bool has) { passed += has; });
  Delivery<void> end;
  const auto acquire = limiter.acquire().map([&] { ++passed; });
  parForEach(std::vector<int>(900), 16, [&](int) { return acquire; }).onComplete(end.callback(), pool);
  CHECK(outcomeText(end.outcome()) == "value");
  for (int i = 0; i < 200; ++i) attempt.blockingAwait();
  CHECK(passed == 1'000);
}

TEST_CASE("a million permits in sequence need no stack") {
  const RateLimiter limiter({.permits = 1, .per = 1s, .burst = 1'000'000});
  CHECK(test::inSequence([limiter] { return limiter.acquire(); }, test::million).blockingAwait() == 0);
}
