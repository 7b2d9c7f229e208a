#include "tapestry/concurrent/stream/ticks.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <stdexcept>
#include <vector>

#include "tapestry/raii/environment.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using namespace std::chrono_literals;

TEST_CASE("ticks come one each period, and at once where the consumer is late") {
  testing::Scheduler scheduler;
  std::vector<std::chrono::milliseconds> times;
  const auto program = ticks(10ms).take(5).forEach([&](std::uint64_t tick) {
    CHECK(tick == times.size());
    times.push_back(
        std::chrono::duration_cast<std::chrono::milliseconds>(scheduler.clock().now().time_since_epoch()));
    return Do<void>::lift(sleepFor(tick == 1 ? 25ms : 0ms));
  });
  CHECK(scheduler.run(program).hasValue());
  REQUIRE(times.size() == 5);
  const auto start = times[0];
  CHECK(times[1] - start == 10ms);
  CHECK(times[2] - start == 35ms);
  CHECK(times[3] - start == 35ms);
  CHECK(times[4] - start == 40ms);
  CHECK_THROWS_WITH_AS(static_cast<void>(ticks(-1ns)),
                       "tapestry::ticks: the period is -1 ns, expected at least 0", std::invalid_argument);
}
