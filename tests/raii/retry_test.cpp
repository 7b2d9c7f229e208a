#include "tapestry/raii/retry.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include "support/programs/fake_resource.hpp"
#include "support/programs/runs.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/testing.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::Delivery;
using test::FakeResources;
using test::outcomeText;
using testing::VirtualClock;

namespace {

/// Fails until it is run for the n-th time; notes the times at which it is run.
Do<int> succeedingAt(int n, VirtualClock& clock, std::vector<Clock::Duration>& times) {
  return Do<int>::delay([n, &clock, &times] {
    times.push_back(clock.now().time_since_epoch());
    const int run = static_cast<int>(times.size());
    if (run < n) throw std::runtime_error("failure " + std::to_string(run));
    return run;
  });
}

}  // namespace

TEST_CASE("retry runs a program again until it succeeds, and waits longer each time") {
  VirtualClock clock;
  std::vector<Clock::Duration> times;
  Delivery<int> delivery;
  withClock(clock,
            retry(succeedingAt(5, clock, times), {.attempts = 9, .delay = 1ms, .factor = 3, .longest = 10ms}))
      .onComplete(delivery.callback());
  clock.advance(1h);
  CHECK(delivery.outcome().get() == 5);
  CHECK(times == std::vector<Clock::Duration>{0ms, 1ms, 4ms, 13ms, 23ms});
}

TEST_CASE("retry fails with the last error when its attempts are used up") {
  VirtualClock clock;
  std::vector<Clock::Duration> times;
  Delivery<int> delivery;
  withClock(clock, retry(succeedingAt(5, clock, times))).onComplete(delivery.callback());
  clock.advance(1h);
  CHECK(outcomeText(delivery.outcome()) == "failure 3");
  CHECK(times.size() == 3);
}

TEST_CASE("retry gives up at an error that its policy does not retry") {
  VirtualClock clock;
  std::vector<Clock::Duration> times;
  Delivery<int> delivery;
  withClock(clock, retry(succeedingAt(5, clock, times),
                         {.attempts = 5, .retries = [](const std::exception_ptr&) { return false; }}))
      .onComplete(delivery.callback());
  CHECK(outcomeText(delivery.outcome()) == "failure 1");
}

TEST_CASE("resources of a failed attempt are released before the next attempt") {
  VirtualClock clock;
  FakeResources fake;
  int runs = 0;
  const auto program = fake.make("a").flatMap([&](const auto&) {
    return ++runs < 3 ? Do<int>::raiseError(std::runtime_error("no")) : Do<int>::now(runs);
  });
  std::string during;
  Delivery<int> delivery;
  withClock(clock, retry(program).map([&](int x) {
    during = fake.log();
    return x;
  })).onComplete(delivery.callback());
  clock.advance(1h);
  CHECK(delivery.outcome().get() == 3);
  CHECK(during == "+a -a +a -a +a");
  CHECK(fake.log() == "+a -a +a -a +a -a");
}

TEST_CASE("a retry that waits is cancelled at once") {
  VirtualClock clock;
  std::vector<Clock::Duration> times;
  const StopSource source;
  Delivery<int> delivery;
  withClock(clock, retry(succeedingAt(3, clock, times))).onComplete(delivery.callback(), source.token());
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
  CHECK(times.size() == 1);
  CHECK(clock.waiting() == 0);
}

TEST_CASE("jitter takes a random part off the wait") {
  Random random(1);
  bool differ = false;
  Clock::Duration first{};
  for (int i = 0; i < 100; ++i) {
    const auto wait = detail::waitAfter({.delay = 100ms, .jitter = 0.5}, 1, random);
    CHECK(wait >= 50ms);
    CHECK(wait <= 100ms);
    if (i == 0) first = wait;
    differ |= wait != first;
  }
  CHECK(differ);
  CHECK(detail::waitAfter({.delay = 100ms}, 1, random) == 100ms);
}

TEST_CASE("the waits of a run depend on its random numbers, and repeat with them") {
  const auto timesWith = [](std::uint64_t seed) {
    VirtualClock clock;
    Random random(seed);
    std::vector<Clock::Duration> times;
    Delivery<int> delivery;
    const auto program = retry(succeedingAt(5, clock, times), {.attempts = 5, .delay = 1ms, .jitter = 1});
    withRandom(random, withClock(clock, program)).onComplete(delivery.callback());
    clock.advance(1h);
    CHECK(delivery.outcome().get() == 5);
    return times;
  };
  CHECK(timesWith(1) == timesWith(1));
  CHECK(timesWith(1) != timesWith(2));
}

TEST_CASE("a scheduler's seed decides the jitter too") {
  const auto timeWith = [](std::uint64_t seed) {
    testing::Scheduler scheduler(seed);
    std::vector<Clock::Duration> times;
    const auto program =
        retry(succeedingAt(5, scheduler.clock(), times), {.attempts = 5, .delay = 1ms, .jitter = 1});
    CHECK(scheduler.run(program).get() == 5);
    return scheduler.clock().now();
  };
  CHECK(timeWith(1) == timeWith(1));
  CHECK(timeWith(1) != timeWith(2));
}

TEST_CASE("the wait after any number of failed attempts is between zero and the longest wait") {
  using Duration = Clock::Duration;
  Random random(1);
  CHECK(detail::waitAfter({.delay = Duration::zero()}, 2000, random) == Duration::zero());
  CHECK(detail::waitAfter({.delay = 1ms, .longest = Duration::max()}, 2000, random) == Duration::max());
  CHECK(detail::waitAfter({.delay = 1ms, .longest = 3ms}, 2000, random) == 3ms);
}

TEST_CASE("an invalid policy is refused with a message that names the fault") {
  const auto refused = [](RetryPolicy policy) {
    return test::errorOf([&] { (void)retry(Do<int>::now(1), policy); });
  };
  CHECK(refused({.attempts = 0}) == "tapestry::retry: got 0 attempts, expected at least 1");
  CHECK(refused({.delay = -1ms}) == "tapestry::retry: got a negative delay, expected 0 or more");
  CHECK(refused({.factor = 0.5}) == "tapestry::retry: got a factor of 0.500000, expected at least 1");
  CHECK(refused({.jitter = 2}) == "tapestry::retry: got a jitter of 2.000000, expected 0 to 1");
}
